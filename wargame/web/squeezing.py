"""Templates without their indentation: a page is read by people through a browser, and its weight goes over a phone."""

from __future__ import annotations

import re

from django.template.base import Origin
from django.template.loaders import filesystem

AS_IT_STANDS = re.compile(r"(<pre\b.*?</pre>|<textarea\b.*?</textarea>)", re.DOTALL)
"""What a browser shows with the spaces that it was written with."""

INDENTATION = re.compile(r"\n[ \t]+")
DECISIONS = "if|elif|else|endif|for|empty|endfor|with|endwith|load|block|endblock|extends"
_TAG = rf"(?:{{%\s*(?:{DECISIONS})\b(?:(?!%}})[^\n])*%}}|{{#[^\n]*?#}})"
UNSEEN = re.compile(rf"(?<=\n){_TAG}*\n")
"""A line that is empty, or decides and shows nothing: its end would be a blank line of the page."""

FIRST = re.compile(rf"(?:\A|(?<=\n)){_TAG}*\n")
"""The same where the source may begin with it."""

PAGES = (".html", ".svg")


def squeezed(source: str, *, keeps_lines: bool = False) -> str:
    """The source of a template without what its lines begin with and without lines that show nothing, but for what
    shows its spaces. With `keeps_lines` lines stay lines, so that an error names the right one."""
    parts = AS_IT_STANDS.split(source)
    for place in range(0, len(parts), 2):
        parts[place] = INDENTATION.sub("\n", parts[place])
        if not keeps_lines:
            parts[place] = (UNSEEN if place else FIRST).sub(lambda line: line[0].rstrip("\n"), parts[place])
    return "".join(parts)


class Loader(filesystem.Loader):
    """Of the project's own templates."""

    def get_contents(self, origin: Origin) -> str:
        """The source, squeezed if it is a page's: letters and files for other programs keep their spaces."""
        source = super().get_contents(origin)
        return squeezed(source, keeps_lines=self.engine.debug) if str(origin.name).endswith(PAGES) else source
