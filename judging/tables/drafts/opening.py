"""5.2: a table opened for a draft, and who may sit down at it with which deck."""

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.tables.drafts.models import Drafter, TableDraft
from judging.tables.models import CardList, Table, new_seed
from tables.core.lists.cardlist import CardList as Cards
from tables.core.lists.cardlist import read_list
from tables.core.lists.decks import Deck
from tables.core.proof.draws import commitment
from tables.games.seize.drafting import pool_breaches


def check_boosters(card_list: CardList | None) -> None:
    """S50: Refused for a list that does not define the content of a booster."""
    read = read_list(card_list.data) if card_list is not None else None
    if not isinstance(read, Cards) or not read.booster:
        raise Refused(gettext("This list doesn't define boosters, so you can't draft from it."), "S50", "list")


def begin_draft(table: Table) -> TableDraft:
    """T8: a table's draft, with a seed drawn now; its commitment goes into the table's first entry."""
    seed = new_seed()
    return TableDraft.objects.create(table=table, seed=seed, commitment=commitment(seed))


def check_drafted(table: Table, user: User, deck: Deck) -> Drafter | None:
    """5.2: the user's drafter, if the table has a draft: they sit where they drafted. At such a table, refused for
    anyone who did not draft, before all is picked, and for cards not picked."""
    if table.format != "draft":
        return None
    drafter = Drafter.objects.filter(draft__table=table, user=user).select_related("draft").first()
    if drafter is None:
        raise Refused(gettext("Only players who drafted can sit down at this table."), "5.2")
    if drafter.draft.ended_at is None:
        raise Refused(gettext("The draft isn't finished, so no one can build a deck yet."), "5.2")
    pool = list(drafter.picks.values_list("card", flat=True))
    if breaches := pool_breaches(deck, pool):
        raise Refused(" ".join(breach.text for breach in breaches[:5]), "5.2", "deck")
    return drafter
