"""An error tracker, if one is named: it is told where the service failed, and nothing of what people wrote."""


def report_to(dsn: str, version: str) -> None:
    """Has errors sent to the project at `dsn`. Orders and strats are secret: no local variables, no bodies, no lines of
    source, no names of people go with them. Imports its library here, which takes a while and is seldom wanted."""
    import sentry_sdk

    sentry_sdk.init(
        dsn=dsn,
        release=version,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        send_default_pii=False,
        max_breadcrumbs=0,
    )
