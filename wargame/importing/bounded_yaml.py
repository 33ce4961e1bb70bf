"""Untrusted YAML: its nesting is counted before it is composed, since libyaml composes by recursion in C, and a text
of many thousand brackets would end the process."""

from typing import Any

import yaml

from wargame.rules.core.saying import marked

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's, where PyYAML has it, is ten times as fast."""

MOST_DEPTH = 60
TOO_DEEP = marked("it is nested too deeply")


def load_all(text: str | bytes, loader: Any = LOADER) -> list[Any]:
    """The documents of a text. Raises yaml.YAMLError, also for nesting of more than MOST_DEPTH levels."""
    depth = 0
    for event in yaml.parse(text, loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MOST_DEPTH:
                where: Any = event.start_mark  # libyaml's marks are of another class with the same names
                raise yaml.MarkedYAMLError(problem=TOO_DEEP, problem_mark=where)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return list(yaml.load_all(text, loader))
