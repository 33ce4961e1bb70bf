"""3.2.4.2: the form that says what exactly a transfer sends."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from judging.game.errors import Refused
from judging.game.forms import ManifestForm
from judging.game.pages import turn_for, viewer_for
from judging.turns.posts.manifests import sent_manifests, transferring_armies
from judging.turns.posts.writes import send_manifest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def manifest(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose one of one's armies (`?army=`), then how many of each creature it sends, and to whom."""
    viewer, now = viewer_for(request, slug), timezone.now()
    turn = turn_for(viewer.round)
    armies = transferring_armies(turn, viewer, now)
    army = next((each for each in armies if each.name == request.GET.get("army")), armies[0] if armies else None)
    form = ManifestForm(request.POST or None, troops=army.troops if army else ())
    context = {"viewer": viewer, "round": viewer.round, "turn": turn, "armies": armies, "army": army, "form": form}
    if request.method == "POST" and army and form.is_valid():
        try:
            receiver, entries = form.cleaned_data["receiver"], form.entries()
            send_manifest(
                turn=turn, player=viewer.player, sender=army.name, receiver=receiver, entries=entries, now=now
            )
        except Refused as error:
            return render(request, "posts/manifest.html", {**context, "refused": error}, status=422)
        messages.success(request, "The manifest is handed in. The last one before the lock counts.")
        return redirect(request.get_full_path())
    context["sent"] = sent_manifests(turn, viewer)
    return render(request, "posts/manifest.html", context, status=422 if form.errors else 200)
