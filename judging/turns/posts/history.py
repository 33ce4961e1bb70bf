"""R7: a post with every version, and what each changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher

from judging.game.viewer import Viewer
from judging.turns.models import PostVersion
from judging.turns.posts.reads import PostView, post_of


@dataclass(frozen=True)
class HistoryLine:
    """R7: a line of a version: `new`, `same` as in the version before, or `gone` since it; with its time."""

    mark: str
    text: str
    at: datetime | None


@dataclass(frozen=True)
class HistoryVersion:
    """R7: one version of a post, line by line."""

    number: int
    at: datetime
    lines: tuple[HistoryLine, ...]


@dataclass(frozen=True)
class HistoryView:
    """R7: a post with every version, the first one first."""

    post: PostView
    versions: tuple[HistoryVersion, ...]


def post_history(post_id: int, viewer: Viewer, now: datetime) -> HistoryView | None:
    """R7: a post with all its versions, or None if the viewer may not see it."""
    post = post_of(post_id, viewer, now)
    if post is None:
        return None
    versions = list(post.row.versions.order_by("number"))
    before: list[PostVersion | None] = [None, *versions]
    pairs = zip(before, versions, strict=False)
    return HistoryView(post, tuple(_version(earlier, version) for earlier, version in pairs))


def _version(before: PostVersion | None, version: PostVersion) -> HistoryVersion:
    old, new = (before.text.split("\n") if before else []), version.text.split("\n")
    lines: list[HistoryLine] = []
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            lines += [HistoryLine("gone", text, None) for text in old[start:end]]
        mark = "same" if tag == "equal" or before is None else "new"
        stamps = version.stamps[new_start:new_end]
        pairs = zip(new[new_start:new_end], stamps, strict=True)
        lines += [HistoryLine(mark, text, datetime.fromisoformat(stamp)) for text, stamp in pairs]
    return HistoryVersion(version.number, version.at, tuple(lines))
