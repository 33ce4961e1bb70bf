"""The addresses of what players do: posts, strats, battles, updates, rules."""

from django.urls import path

from judging.views import battles, books, live, manifests, mine, movement, posts, rules, rulings, strats, turns

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/live/", live.live, name="live"),
    path(f"{ROUND}/movement/", movement.present, name="movement"),
    path(f"{ROUND}/turns/<int:number>/movement/", movement.of_turn, name="movement-turn"),
    path(f"{ROUND}/movement/post/", posts.new, name="post-new"),
    path(f"{ROUND}/movement/preview/", posts.preview, name="post-preview"),
    path(f"{ROUND}/posts/<int:post_id>/", posts.history, name="post"),
    path(f"{ROUND}/posts/<int:post_id>/edit/", posts.edit, name="post-edit"),
    path(f"{ROUND}/posts/<int:post_id>/withdraw/", posts.withdraw, name="post-withdraw"),
    path(f"{ROUND}/movement/manifest/", manifests.manifest, name="manifest-new"),
    path(f"{ROUND}/battles/", battles.present, name="battles"),
    path(f"{ROUND}/turns/<int:number>/battles/", battles.of_turn, name="battles-turn"),
    path(f"{ROUND}/battles/<int:battle_id>/", battles.battle, name="battle"),
    path(f"{ROUND}/battles/<int:battle_id>/strat/<str:army>/", strats.strat, name="strat"),
    path(f"{ROUND}/battles/<int:battle_id>/strat/<str:army>/draft/", strats.draft, name="strat-draft"),
    path(f"{ROUND}/results/", battles.results, name="results"),
    path(f"{ROUND}/turns/", turns.turns, name="turns"),
    path(f"{ROUND}/turns/<int:number>/", turns.turn, name="turn"),
    path(f"{ROUND}/turns/<int:number>/update.txt", turns.update_text, name="turn-text"),
    path(f"{ROUND}/turns/<int:number>/before/<int:correction_id>/", rulings.before, name="turn-before"),
    path(f"{ROUND}/rulings/", rulings.rulings, name="rulings"),
    path(f"{ROUND}/mine/", mine.mine, name="mine"),
    path(f"{ROUND}/book/", books.public, name="round-book"),
    path("dice/", rules.dice, name="dice"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<str:number>/", rules.rule, name="rule"),
]
