"""Pagination of long lists, with `{% pager %}` for the links."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.paginator import Paginator
from django.db.models import QuerySet

Row = TypeVar("Row")
View = TypeVar("View")


@dataclass(frozen=True)
class Paged(Generic[View]):
    """A page of a list: its rows, its number, the last page's, the number of rows on all pages, and the number of
    its first row among these."""

    rows: tuple[View, ...]
    page: int
    pages: int
    total: int
    first: int


def paged(
    found: QuerySet[Any, Row] | Sequence[Row], size: int, page: str | int, views: Callable[[list[Row]], Iterable[View]]
) -> Paged[View]:
    """The page of that number with its rows as `views` shows them; the first or last page if the number is out of
    range."""
    page_obj = Paginator(found, size).get_page(page)
    rows = tuple(views(list(page_obj.object_list)))
    return Paged(rows, page_obj.number, page_obj.paginator.num_pages, page_obj.paginator.count, page_obj.start_index())
