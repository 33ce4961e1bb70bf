"""T12: the public part of a table as a file, for everybody."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from judging.tables.archive.exporting import file_of
from judging.tables.models import Table, TableAgreements
from judging.tables.views import table_for


@require_safe
@gzip_page
def export(request: HttpRequest, table: str) -> HttpResponse:
    """T12: the file; it holds everything of a table that is over, and can be imported elsewhere."""
    row = table_for(request, table)
    tag = _tag(row)
    answer: HttpResponse | None = get_conditional_response(request, etag=tag)
    if answer is not None:
        return answer
    answer = HttpResponse(file_of(row), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{row.slug}.json"'
    answer["ETag"], answer["Cache-Control"] = tag, "no-cache"
    return answer


def _tag(table: Table) -> str:
    """The values on which the file depends: the chain, its judges, the questions to them, and the offers."""
    judges = [*table.judges.order_by("pk").values_list("pk", "name", "is_head", "dismissed_at")]
    agreements = [*TableAgreements.objects.filter(table=table).values_list("agreed_at", "title")]
    clocks = [str(table.due_at), str(table.stopped_at), table.question]
    stamp = digest_of([table.head, table.state, clocks, judges, agreements])
    return f'W/"{stamp}"'


def digest_of(parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
