"""All addresses of the site. Each capability names its own in its `urls.py`: pages, the desk's, the API's."""

from django.urls import include, path, re_path

from judging.accounts import urls as accounts
from judging.api import docs
from judging.api import urls as api
from judging.armies import urls as armies
from judging.battles import urls as battles
from judging.boards import urls as boards
from judging.books import urls as books
from judging.command import urls as command
from judging.exchange import urls as exchange
from judging.game import urls as game
from judging.health import urls as health
from judging.home import urls as home
from judging.log import urls as log
from judging.map import urls as map
from judging.mercenaries import urls as mercenaries
from judging.notices import urls as notices
from judging.penalties import urls as penalties
from judging.people import urls as people
from judging.rounds import urls as rounds
from judging.setup import urls as setup
from judging.turns import urls as turns
from judging.verifying import urls as verifying
from judging.votes import urls as votes
from judging.watching import urls as watching

PAGES = (
    home,
    rounds,
    game,
    health,
    accounts,
    people,
    map,
    armies,
    notices,
    turns,
    battles,
    books,
    command,
    boards,
    votes,
    verifying,
    log,
    penalties,
    mercenaries,
    setup,
    exchange,
    watching,
    api,
)
API = (
    *(api, home, rounds, armies, map, command, log, turns, mercenaries, penalties),
    *(battles, boards, verifying, votes, accounts),
)

urlpatterns = [
    *(path("", include(urls.urlpatterns)) for urls in PAGES),
    *(path("api/v1/", include(urls.api_urlpatterns)) for urls in API),
    re_path(r"^api/v1/", docs.NoAddress.as_view(), name="api-nothing"),
]
