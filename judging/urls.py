"""All URLs of the site. Each capability defines its own in its `urls.py`: for pages, the desk, the API."""

from django.urls import include, path, re_path

from judging.accounts import urls as accounts
from judging.announcements import urls as notices
from judging.api import urls as api
from judging.api import views
from judging.appeals import urls as appeals
from judging.armies import urls as armies
from judging.battles import urls as battles
from judging.battles.assignments import urls as bench
from judging.boards import urls as boards
from judging.command import urls as command
from judging.common import urls as game
from judging.discord import urls as discord
from judging.email import urls as letters
from judging.feedback import urls as feedback
from judging.feeds import urls as subscribing
from judging.formula_books import urls as books
from judging.health import urls as health
from judging.home import urls as home
from judging.import_export import urls as exchange
from judging.inbound_email import urls as mailbox
from judging.log import urls as log
from judging.map import urls as map
from judging.mercenaries import urls as mercenaries
from judging.metrics import urls as watching
from judging.my_turn import urls as my_turn
from judging.notifications import urls as notifications
from judging.penalties import urls as penalties
from judging.people import urls as people
from judging.polling import urls as live
from judging.rounds import urls as rounds
from judging.rulebooks import urls as rulebooks
from judging.search import urls as search
from judging.setup import urls as setup
from judging.sharing import urls as sharing
from judging.tables import urls as tables
from judging.turns import urls as turns
from judging.tutorial import urls as sandbox
from judging.verification import urls as verifying
from judging.votes import urls as votes
from judging.webhooks import urls as hooks

PAGES = (
    home,
    sandbox,
    rounds,
    rulebooks,
    game,
    health,
    accounts,
    people,
    map,
    armies,
    my_turn,
    live,
    sharing,
    subscribing,
    discord,
    notifications,
    hooks,
    mailbox,
    turns,
    battles,
    feedback,
    books,
    command,
    bench,
    boards,
    search,
    votes,
    verifying,
    log,
    penalties,
    appeals,
    mercenaries,
    setup,
    exchange,
    watching,
    tables,
    api,
)
API = (
    *(api, home, rounds, armies, my_turn, map, command, log, turns, mercenaries, penalties, appeals),
    *(battles, bench, feedback, boards, search, verifying, votes, accounts, notifications, tables),
    *(setup, books, people, letters, hooks, mailbox, notices, exchange, subscribing),
)

urlpatterns = [
    *(path("", include(urls.urlpatterns)) for urls in PAGES),
    *(path("api/v1/", include(urls.api_urlpatterns)) for urls in API),
    re_path(r"^api/v1/", views.NoAddress.as_view(), name="api-nothing"),
]
