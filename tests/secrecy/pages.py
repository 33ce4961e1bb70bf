"""What pages take besides their address: the fragments that htmx asks for, and what stands behind the `?`."""

FRAGMENTS = {"creatures", "verify-turn", "map-square"}
"""Pages that answer otherwise to htmx (`HX-Request`) when they are asked for; others do when they are sent."""

STILL = ("boards", "press", "reports", "blocks", "votes", "setup")
STEADY = (
    *("accounts/", "administration/", "creatures/", "rules/", "dice/", "healthz", "livez", "api/schema/", "api/docs/"),
    *("new-round/", "how-to-play/", "help/", "try/", "service-worker.js", "app.webmanifest"),
    *("imprint/", "privacy/", "logo/", ".well-known/"),
    *("tables/", "api/v1/tables/"),
    *("api/v1/administration/", "api/v1/creatures/", "api/v1/tokens/"),
    *(f"{root}/<slug:slug>/{part}/" for root in ("rounds", "api/v1/rounds") for part in STILL),
    *(f"judge/{part}/" for part in ("password_change", "login", "logout", "jsi18n", "autocomplete", "r", "files")),
)
"""How the addresses begin that no stage of a turn changes: they are walked when it opens, and when all is over."""

QUERIES: dict[str, tuple[str, ...]] = {
    "map-square": ("now",),
    "map-compare": ("from=1&to=2",),
    "what-if": ("alone", "orders=Ana%3A+hold"),
    "board": ("quote=1",),
    **dict.fromkeys(("search", "search-all", "api-search", "api-search-all"), ("q=zqx", "q=zqx&kind=press")),
    "command": ("turn=1&q=Ana",),
    "log": ("q=a",),
    "rulings": ("q=a",),
    "setup": ("public",),
    "judge:mercenary-strat": ("again",),
    "judge:judging_post_changelist": ("q=a",),
}
"""Queries that lead to other texts than the page alone."""
