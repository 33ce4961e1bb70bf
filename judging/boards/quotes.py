"""What others wrote on a board, as quotes that answer it."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\`*_\[\]<>])")


def quoted(text: str, name: str, address: str) -> str:
    """What somebody wrote, to be answered: his lines with `>` before them, without those that he quoted himself."""
    lines = text.strip("\n").split("\n")
    own = "\n".join(line for line in lines if not line.lstrip().startswith(">")).strip("\n") or "\n".join(lines)
    bare = _SPECIAL.sub(r"\\\1", name)
    head = f"> **{bare}** [wrote]({address}):\n>\n"
    return head + "\n".join(f"> {line}".rstrip() for line in own.split("\n")) + "\n\n"
