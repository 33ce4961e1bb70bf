"""1.3: the addresses of the judges' desk that the stock admin does not have."""

from django.urls import path

from judging.judge_site import site
from judging.views import (
    books,
    desk,
    drafts,
    exchange,
    judge,
    judge_command,
    judge_musters,
    judge_penalties,
    mercenary_desk,
    mercenary_strats,
    victories,
)

_for_judges = site.admin_view

urlpatterns = [
    path("battles/<int:battle_id>/", _for_judges(judge.battle), name="battle"),
    path(
        "battles/<int:battle_id>/strat/<str:army>/",
        _for_judges(mercenary_strats.mercenary_strat),
        name="mercenary-strat",
    ),
    path("battles/<int:battle_id>/do/<slug:act>/", _for_judges(desk.act), name="battle-act"),
    path("battles/<int:battle_id>/press/<slug:act>/", _for_judges(desk.press), name="battle-press"),
    path("turns/<int:turn_id>/mercenaries/", _for_judges(mercenary_desk.mercenaries), name="mercenaries"),
    path("turns/<int:turn_id>/draft/", _for_judges(drafts.draft), name="draft"),
    path("turns/<int:turn_id>/corrections/", _for_judges(drafts.corrections), name="corrections"),
    path("rulings/<int:ruling_id>/withdraw/", _for_judges(drafts.withdraw), name="ruling-withdraw"),
    path("rounds/<int:round_id>/victory/", _for_judges(victories.confirm), name="victory"),
    path("rounds/<int:round_id>/book/", _for_judges(books.editor), name="book"),
    path("rounds/<int:round_id>/book/check/", _for_judges(books.check), name="book-check"),
    path("rounds/<int:round_id>/book/plots/", _for_judges(books.plots), name="book-plots"),
    path("rounds/<int:round_id>/book/<int:number>/", _for_judges(books.version), name="book-version"),
    path("rounds/<int:round_id>/command/", _for_judges(judge_command.command), name="command"),
    path("rounds/<int:round_id>/penalties/", _for_judges(judge_penalties.penalties), name="penalties"),
    path("musters/", _for_judges(judge_musters.musters), name="musters"),
    path("musters/<int:muster_id>/", _for_judges(judge_musters.muster), name="muster"),
    path("changes/<int:request_id>/", _for_judges(judge_musters.change), name="change"),
    path("files/", _for_judges(exchange.files), name="files"),
]
