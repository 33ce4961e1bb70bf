"""What axe finds and others have made: named here with the reason, so that everything else is ours to mend."""

from collections.abc import Iterable
from dataclasses import dataclass

from tests.accessibility.finding import Finding


@dataclass(frozen=True)
class Excuse:
    """Rules on pages whose address begins with one of `starts`, at elements whose selector holds `part`."""

    starts: tuple[str, ...]
    rules: tuple[str, ...]
    part: str
    reason: str

    def covers(self, finding: Finding) -> bool:
        return finding.page.startswith(self.starts) and finding.rule in self.rules and self.part in finding.selector


TABLES = ("/judge/wargame/", "/judge/judging/")
EXCUSES = (
    Excuse(
        ("/api/docs/",),
        ("color-contrast", "nested-interactive", "heading-order", "region", "landmark-one-main"),
        "",
        "drawn by Swagger UI, later than the page, with its own colours and markup",
    ),
    Excuse(TABLES, ("empty-table-header",), "", "Django's tabular inlines have columns without a heading"),
    Excuse(
        TABLES,
        ("scrollable-region-focusable",),
        "-group",
        "Django's tabular inlines scroll, and nothing in those that are only read takes the focus",
    ),
)


def ours(found: Iterable[Finding]) -> list[Finding]:
    """The findings that nothing excuses."""
    return [finding for finding in found if not any(excuse.covers(finding) for excuse in EXCUSES)]
