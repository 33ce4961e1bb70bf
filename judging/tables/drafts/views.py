"""5.2: the page of a draft: people join it, pick from their packs, and make a deck of their pool."""

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.common.form_views import ActionView, Success, get_or_post, number_of
from judging.common.forms import new_token
from judging.tables.board import seize
from judging.tables.board.shapes import Act, Tile
from judging.tables.drafts import services
from judging.tables.drafts.models import TableDraft
from judging.tables.drafts.queries import DraftView, draft_at, draft_view
from judging.tables.drafts.services import SIZE, Built, checked, sit_with
from judging.tables.models import Seat, Table
from judging.tables.views import table_for


def counts_typed(data: QueryDict, pool: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """5.2: how many of each card of the pool are in the deck: fields `n-0`, `n-1` in the pool's order."""
    counts = {name: number_of(data.get(f"n-{at}", ""), 0) for at, (name, _) in enumerate(pool)}
    return {name: many for name, many in counts.items() if many > 0}


class DraftPage(ActionView):
    """5.2: a draft as its viewer may know it; a POST joins, picks, wishes, checks a deck or sits down with one."""

    template = "tables/draft.html"

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.table = table_for(request, slug)
        self.draft = self._draft(self.table)

    def _draft(self, table: Table) -> TableDraft:
        draft = draft_at(table)
        if draft is None:
            raise Http404(gettext("There is no draft at this table."))
        return draft

    @property
    def only_looks(self) -> bool:
        """5.2: whether the deck is only checked."""
        return "check" in self.request.POST

    def act(self) -> Success:
        """5.2: what the pressed button says: the card of a pick, else `act`."""
        data, now, user = self.request.POST, timezone.now(), self._user()
        if data.get("act") == "join":
            services.join_draft(
                table=self.table, user=user, name=data.get("seat", ""), word=data.get("word", ""),
                invitation=data.get("invitation", ""), now=now,
            )  # fmt: skip
            return Success(gettext("You have joined the draft."))
        if data.get("act") == "wish":
            lines = [line.strip() for line in data.get("wishes", "").splitlines() if line.strip()]
            services.wish_for(table=self.table, user=user, cards=lines, now=now)
            return Success(gettext("Your wishes are saved."))
        if data.get("act") == "sit":
            self._sit(user, data)
            return Success(gettext("You now sit at the table."), reverse("table", args=[self.table.slug]))
        card = data.get("pick", "")
        services.pick_card(table=self.table, user=user, card=card, number=number_of(data.get("number", "")), now=now)
        return Success(gettext("You picked %(card)s. Your pick is sealed.") % {"card": card})

    def _sit(self, user: User, data: QueryDict) -> Seat:
        """5.2: sit down with the built deck; if it breaks rules, they are reported and nothing is stored."""
        pool = draft_view(self.draft, user).pool
        built = Built(counts_typed(data, pool), data.get("word", ""), data.get("cut_hash", ""))
        return sit_with(table=self.table, user=user, built=built, now=timezone.now())

    def _user(self) -> User:
        if not isinstance(self.request.user, User):
            raise Refused(
                gettext("You were logged out, and nothing was sent. Log in in another tab, then send it again.")
            )
        return self.request.user

    def context(self) -> dict[str, object]:
        """5.2: the draft, with the typed input."""
        view, data = draft_view(self.draft, self.request.user), self.request.POST
        counts = counts_typed(data, view.pool)
        sits = self.table.seats.filter(user_id=self.request.user.pk or 0).exists()
        pool = [(at, self._tile(view, name), many, counts.get(name, 0)) for at, (name, many) in enumerate(view.pool)]
        return {
            "table": self.table, "seen": view, "refused": self.refused, "typed": data, "token": new_token(),
            "pack": [self._tile(view, name, pick=not view.chosen) for name in view.pack],
            "pool": sorted(pool, key=lambda row: (row[1].type.partition(" · ")[0], row[1].name)),
            "total": sum(counts.values()), "size": SIZE, "sits": sits,
            "checked": checked(self.table, counts, timezone.now()) if self.only_looks and counts else None,
            "wishes": data.get("wishes", "\n".join(view.wishes)),
            "number": len(view.mine.picks) + 1 if view.mine else 0,
            "invitation": self.request.POST.get("invitation", "") or self.request.GET.get("invitation", ""),
        }  # fmt: skip

    def _tile(self, view: DraftView, name: str, *, pick: bool = False) -> Tile:
        acts = (Act(f"pick {name}", None, gettext("Pick %(name)s") % {"name": name}, "pick", name),) if pick else ()
        return seize.tile({"card": name}, view.cards, acts)


@get_or_post
def draft(request: HttpRequest, table: str) -> HttpResponse:
    """5.2: a table's draft and its forms."""
    return DraftPage(request, table).answer()
