"""Examples of the boards and their messages."""

from __future__ import annotations

from judging.api.examples import Json

BOARD: Json = {
    "key": "results",
    "title": "Battle Results",
    "about": "How battles ended, and what people say to it.",
    "side": None,
    "messages": 12,
    "last_at": "2031-05-05T20:00:00Z",
    "new": 3,
    "mentions": 1,
}
MESSAGE: Json = {
    "number": 12,
    "by": "Auric Thorn",
    "side": "coalition",
    "roles": [],
    "at": "2031-05-05T20:00:00Z",
    "edited_at": None,
    "version": 1,
    "text": "Well fought, @Drillbit.",
    "html": '<p>Well fought, <a href="/rounds/the-third-invasion/command/players/Drillbit/" '
    'rel="noopener noreferrer">@Drillbit</a>.</p>',
    "withdrawn_at": None,
    "hidden_by": "",
    "hidden_because": "",
    "is_mine": True,
    "names_you": False,
}
MESSAGE_SENT: Json = {"text": "Well fought, @Drillbit.", "token": "my-message-1"}
MESSAGE_CHANGE: Json = {"text": "Well fought, @Drillbit, and see you tomorrow.", "base_version": 1}
