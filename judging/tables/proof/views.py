"""T8.5: the page on which anybody can recompute a table, and its proof file."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.tables.proof.verification import is_open, proof_of, verified
from judging.tables.views import table_for


@require_safe
def verify(request: HttpRequest, table: str) -> HttpResponse:
    """T8.5: every commitment, and after the end every draw and action, recomputed now."""
    row = table_for(request, table)
    context = {"table": row, "verified": verified(row, timezone.now()), "is_open": is_open(row)}
    return render(request, "tables/verify.html", context)


@require_safe
def file(request: HttpRequest, table: str) -> JsonResponse:
    """T8.5: the proof file."""
    row = table_for(request, table)
    answer = JsonResponse(proof_of(row), json_dumps_params={"ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="{row.slug}-proof.json"'
    return answer
