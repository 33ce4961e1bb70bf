"""The secrets of a turn: orders, manifests, strats, what judges write and roll, the book and the seeds."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judging.appeals.models import Appeal
from judging.battles.assignments.models import Decision
from judging.battles.desk.publishing import keep_narrative
from judging.battles.desk.rolling import answer_adjustment, ask_adjustment
from judging.battles.desk.scoring import WHOLE, Reasons, ScoreReason
from judging.battles.models import (
    AdjustmentRequest,
    Battle,
    Claim,
    Criterion,
    Note,
    Proposal,
    RiskRuling,
    Score,
    Strat,
    StratDraft,
)
from judging.battles.rejudging.models import Rejudgement
from judging.common.models import LogEntry, Unsent
from judging.feedback.models import BattleFeedback
from judging.formula_books.models import BookVersion
from judging.mercenaries.models import MercenaryOrder
from judging.turns.models import Manifest, Post
from tests.secrecy.scene import Scene
from tests.services.ruling import new, propose, rule
from tests.services.world_of_tests import HOUR, REASONS, World, token
from wargame.models import Turn
from wargame.rules.battle.mixing import seal_of

Battles = tuple[Battle, Battle, Battle]
MINUTE = timedelta(minutes=1)
SENTENCE = "{} stands on the hill."


def plant_orders(scene: Scene, world: World, turn: Turn, at: datetime) -> None:
    """R6, 3.2.4.2, R48, 3.3.3."""
    world.post("Lea", f"30D > 31D\n{scene.mark('sealed order', 'leader')}", at=at, sealed=True)
    world.post("Vorn", f"30K > 31K\n{scene.mark('sealed order', 'enemy leader')}", at=at, sealed=True)
    world.post("Gaz", scene.mark("sealed order", "enemy"), at=at, sealed=True)
    Post.objects.filter(player=world.players["Gaz"], sealed=True).update(withdrawn_at=at + MINUTE)
    Manifest.objects.create(
        turn=turn, player=world.players["Lea"], sender="Lea", receiver="Ben", sent_at=at,
        entries=[{"slot": 1, "number": 10, "creature": scene.mark("manifest", "leader")}],
    )  # fmt: skip
    reason = scene.mark("mercenary order", "mercenary")
    MercenaryOrder.objects.create(
        turn=turn, judge=world.judges["mercenary"], by="Judge mercenary", kind="disband", army="Wolves",
        reason=reason, made_at=at, token=token(),
    )  # fmt: skip
    Turn.objects.filter(pk=turn.pk).update(mercenary_orders=1)
    proposed = new("square", "Lea", square="31E", reason=scene.mark("proposed ruling", "movement"))
    propose(world, proposed, at=at)


def plant_strats(scene: Scene, world: World, battles: Battles) -> None:
    """R35, R49: a strat of everybody, one of a contingency, a late one, and drafts."""
    first, second, third = battles
    before = {"now": first.deadline - timedelta(hours=2)}
    world.strat(first, "Ana", "Cay", SENTENCE.format(scene.mark("strat of a contingency", "contingency")), **before)
    world.strat(first, "Ana", "Ana", SENTENCE.format(scene.mark("strat", "author")))
    world.strat(first, "Gaz", "Gaz", SENTENCE.format(scene.mark("strat of the enemy", "enemy")))
    text = SENTENCE.format(scene.mark("late strat", "enemy"))
    late = world.strat(first, "Gaz", "Gaz", text, now=first.deadline + HOUR)
    scene.note(late.salt, "late strat", "enemy")
    world.strat(second, "Ben", "Ben", "Fight.", risk="kill", word_sha256=seal_of(WORD))
    Strat.objects.filter(entry__battle=second).update(word=WORD, word_at=second.deadline)
    scene.note(WORD, "word for the dice")
    world.strat(second, "Hex", "Hex")
    world.strat(third, "Dot", "Dot")
    entry = third.entries.get(army__side="mercenary")
    Strat.objects.create(
        entry=entry, text=scene.mark("strat of mercenaries", "mercenary"), sent_at=third.announced_at, salt="5a17" * 8,
        sha256="0" * 64, token=token(),
    )  # fmt: skip
    for viewer, army in (("author", "Ana"), ("enemy", "Gaz")):
        StratDraft.objects.create(
            entry=first.entries.get(name=army), player=world.players[army], saved_at=first.announced_at,
            text=scene.mark("draft of a strat", viewer),
        )  # fmt: skip
        Unsent.objects.create(
            user=world.players[army].user, round=world.round, place="post", kept_at=first.announced_at,
            text=scene.mark("draft of an order", viewer),
        )  # fmt: skip
    for strat in Strat.objects.filter(late=False).exclude(text__in=("Fight.", "")).order_by("pk"):
        scene.note(strat.salt, "salt of a strat")


WORD = "quixotic marzipan"


def plant_feedback(scene: Scene, world: World, battle: Battle, at: datetime) -> None:
    """4.2: what a player writes to the head battle judge."""
    said = {"fair": 1, "clear": 1, "in_time": 1, "given_at": at}
    text = scene.mark("feedback", "battle")
    BattleFeedback.objects.create(battle=battle, player=world.players["Dot"], sentence=text, **said)


def plant_book(scene: Scene, world: World) -> None:
    """R38: the book's first formula with a number of its own, which adds nothing."""
    book = BookVersion.objects.filter(round=world.round).latest("number")
    name, text = next(iter(book.formulas.items()))
    scene.note(BOOK_NUMBER, "formula book", "battle")
    book.formulas = {**book.formulas, name: f"({text}) + 0 * {BOOK_NUMBER}"}
    book.save()
    scene.note(book.salt, "salt of the book")


BOOK_NUMBER = "918273645546"


def plant_judging(scene: Scene, world: World, battles: Battles, at: datetime) -> None:
    """4.2.1: what the battle judges write down: notes, claims, rulings on risks, adjustments, the narrative."""
    first, second, third = battles
    judge, other = world.judges["battle"], world.judges["battle second"]
    criterion = Criterion.objects.create(judge=judge, name=scene.mark("criterion", "battle"))
    others = Criterion.objects.create(judge=other, name="Terrain")
    _note(first, criterion, scene.mark("note of one of two judges", "battle"), at)
    _note(first, others, scene.mark("note of one of two judges", "battle second"), at)
    _note(second, criterion, scene.mark("note", "battle"), at)
    _note(third, others, scene.mark("note that is shown", "battle second"), at, shown=True)
    ana, ben = (Strat.objects.get(player=world.players[name]) for name in ("Ana", "Ben"))
    Claim.objects.create(
        strat=ana, judge=judge, claim="A hill", verdict="refused", cites="4.1.2", made_at=at,
        note=scene.mark("claim", "battle"),
    )  # fmt: skip
    RiskRuling.objects.create(
        strat=ben, judge=judge, is_void=True, cites="4.3.2", made_at=at, reason=scene.mark("ruling on a risk", "battle")
    )
    change = {"kind": "losses", "army": "Ben", "percent": 50, "by": judge.name}
    change["reason"] = scene.mark("adjustment", "battle")
    for proposal in Proposal.objects.filter(battle=second):
        proposal.adjustments = [change]
        proposal.outcome |= {"adjustments": [change]}
        proposal.save()
    text = scene.mark("narrative", "battle")
    keep_narrative(battle=second, judge=judge, text=text, base_version=0, now=at)


def marked_reasons(scene: Scene, kind: str, viewer: str) -> Reasons:
    """R54: a reason, why the bonus is not the offered one, and a sentence on each criterion, with markers in them."""
    marked = {name: ScoreReason(3, scene.mark(kind, viewer)) for name in REASONS}
    return marked | {WHOLE: marked[WHOLE]._replace(departs=scene.mark(kind, viewer))}


def plant_judges(scene: Scene, world: World, battles: Battles, at: datetime) -> None:
    """R53, R54, R55: what each of two judges writes apart, why somebody decided over two scores, and changes on which
    two judges don't agree: one that was refused, and one that waits."""
    first, second, _ = battles
    judge, other = world.judges["battle"], world.judges["battle second"]
    for viewer in ("battle", "battle second"):
        text = scene.mark("narrative of one of two judges", viewer)
        keep_narrative(battle=first, judge=world.judges[viewer], text=text, base_version=0, now=at)
    Decision.objects.create(
        battle=second, judge=other, made_at=at, reason=scene.mark("decision over two scores", "battle second")
    )
    Score.objects.filter(battle=second).update(how=Score.How.THIRD)
    for is_answered in (True, False):
        reason = scene.mark("change that is asked for", "battle")
        asked = ask_adjustment(
            battle=second, judge=judge, kind="losses", army="Ben", percent=50, cites="4.2.6", reason=reason, now=at
        )
        if is_answered:
            refuse_change(scene, world, asked, at)


def refuse_change(scene: Scene, world: World, asked: AdjustmentRequest, at: datetime) -> None:
    """R53: the other judge does not agree."""
    answer = scene.mark("change that is asked for", "battle second")
    given = {"battle": asked.battle, "judge": world.judges["battle second"], "request_id": asked.pk}
    answer_adjustment(accepted=False, answer=answer, now=at, **given)


def plant_appeal(scene: Scene, world: World, turn: Turn, fought: Battle, at: datetime) -> None:
    """R57, R58: an appeal against a request that was refused, and a new judgement that is not applied."""
    data = {"army": "Ana", "side": "coalition"}
    actor = world.judges["movement"].user
    entry = LogEntry.objects.create(round=world.round, at=at, actor=actor, action="change.refused", data=data)
    Appeal.objects.create(
        round=world.round, number=1, player=world.players["Ana"], turn=turn, kind="request", entry=entry,
        is_hidden=True, against=world.judges["movement"], cites="2.3.2", lodged_at=at, token=token(),
        reason=scene.mark("appeal against a request", "author"), judge=world.judges["battle"],
        due_at=at + timedelta(days=3),
    )  # fmt: skip
    Rejudgement.objects.create(
        battle=fought, judge=world.judges["battle"], cites="4.2.1", made_at=at, token=token(),
        reason=scene.mark("judging anew that is not applied", "battle"), score_before={"favours": None, "bonus": 0},
        outcome=fought.result.outcome, outcome_before=fought.result.outcome,
    )  # fmt: skip


def _note(battle: Battle, criterion: Criterion, text: str, at: datetime, *, shown: bool = False) -> None:
    Note.objects.create(battle=battle, criterion=criterion, text=text, shown=shown, saved_at=at)


def note_seeds(scene: Scene, turn: Turn, battles: Sequence[Battle]) -> None:
    """R38: the seeds that nobody may know yet."""
    scene.note(Turn.objects.get(pk=turn.pk).seed, "seed of a turn")
    for battle in battles:
        scene.note(battle.seed, "seed of a battle")


def plant_ruling(scene: Scene, world: World, now: datetime) -> None:
    """3.3.3: a ruling on moves that are not published."""
    rule(world, new("square", "Lea", square="31E", reason=scene.mark("ruling on a draft", "movement")), at=now)
