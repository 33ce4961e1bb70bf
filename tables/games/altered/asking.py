"""A12: before the set-up both players settle the document's gaps; each answer is proposed and accepted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tables.core.decisions import Decision
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import State
from tables.games.altered import agreements
from wargame.rules.core.saying import said

Said = tuple[tuple[str, int, str], ...]
"""Seat, question, wording; the latest comes last."""


@dataclass(frozen=True, slots=True)
class AskAgree(Decision):
    """A12: agreements before anything starts.

    An answer is a proposal until the other says the same; with another wording they propose that instead. Nothing
    starts while a required question is open, or while a proposal waits: the pending seats are those that must answer.
    """

    players: tuple[str, ...] = ()
    said: Said = ()

    kind = "agree"
    takes = ("agree",)
    cites = "A12"

    def sealed(self, state: State) -> bool:
        """A12: both can read the proposals."""
        return False

    def hears(self, seat: str) -> bool:
        """A12: a player who has proposed may propose something else while the other thinks."""
        return seat in self.players

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """A12: whatever both say alike is agreed; the rest waits for the other."""
        try:
            answered = self._answers(play.state, seat, action)
        except agreements.NotAnAnswer as error:
            raise Refused("A12", str(error)) from None
        pending = {number for _, number, _ in self.said}
        holds = dict(play.state.options.agreed)
        new = [one for one in answered if one[0] in pending or holds.get(one[0], agreements.OPEN) != one[1]]
        if not new:
            raise Refused("A12", said("this answer already applies"))
        agreed = [one for one in new if self._all_say(seat, *one)]
        for number, wording in agreed:
            holds[number] = wording
            play.emit(Event("agreed", (f"agreed {number}",), seat, amount=number, told=wording))
        answers = tuple((number, wording) for number, wording in sorted(holds.items()) if wording != agreements.OPEN)
        play.state = replace(play.state, options=replace(play.state.options, agreed=answers))
        numbers, settled = {number for number, _ in new}, {number for number, _ in agreed}
        before = tuple(one for one in self.said if one[1] not in settled and (one[0] != seat or one[1] not in numbers))
        proposed = tuple((seat, number, wording) for number, wording in new if number not in settled)
        if proposed:
            play.emit(Event("proposes", ("A12",), seat, amount=len(proposed), told=_proposed_in_words(proposed)))
        later = replace(self, said=(*before, *proposed))
        if seats := later.waited(play.state):
            play.ask(replace(later, of=seats))

    def waited(self, state: State) -> tuple[str, ...]:
        """A12: the seats that must answer: those that haven't had the last word on a proposal, or haven't answered a
        required question."""
        last = {number: seat for seat, number, _ in self.said}
        must = [question.number for question in agreements.still_open(state.options.agreed)]
        return tuple(
            seat for seat in self.players
            if any(other != seat for other in last.values()) or any(number not in last for number in must)
        )  # fmt: skip

    def proposed_by_others(self, seat: str) -> tuple[tuple[int, str], ...]:
        """A12: the last wordings proposed by others, by the numbers of the questions."""
        last = {number: (by, wording) for by, number, wording in self.said}
        return tuple((number, wording) for number, (by, wording) in sorted(last.items()) if by != seat)

    def _answers(self, state: State, seat: str, action: Action) -> tuple[tuple[int, str], ...]:
        if action.do == "suggested":
            answered = dict(state.options.agreed)
            return tuple(one for one in agreements.all_suggested() if one[0] not in answered)
        return agreements.answers(action.n, action.text)

    def _all_say(self, seat: str, number: int, wording: str) -> bool:
        return all((other, number, wording) in self.said for other in self.players if other != seat)

    def told(self, state: State, seat: str) -> tuple[str, ...]:
        """A12: what each has said so far, for both to read."""
        return tuple(f"{proposer}: agree {number}: {wording}" for proposer, number, wording in self.said)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: none: the table doesn't start."""
        raise Refused("A12", said("the table can't start without this agreement: it has no default"))

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """To accept what the other proposes; or the suggestions, which are house rules and not the document's."""
        proposals = self.proposed_by_others(seat)
        still = agreements.still_open(state.options.agreed)
        numbers = {number for by, number, _ in self.said if by == seat}
        return tuple(dict.fromkeys((
            *((agreements.agreeing(proposals),) if proposals else ()),
            *((Action("agree", do="suggested"),) if still and not proposals and not numbers else ()),
            *(agreements.agreeing(((one.number, one.suggested),)) for one in still if one.number not in numbers),
        )))  # fmt: skip


def _proposed_in_words(proposed: Sequence[tuple[str, int, str]]) -> str:
    return "; ".join(f"{number}: {wording}" for _, number, wording in proposed)


def change(play: Play, number: int, wording: str) -> None:
    """A12: once a table has started, a ruling changes an agreement, or both players together (11)."""
    try:
        answer = agreements.checked(number, wording)
    except agreements.NotAnAnswer as error:
        raise Refused("A12", str(error)) from None
    holds = {**dict(play.state.options.agreed), number: answer}
    answers = tuple((one, text) for one, text in sorted(holds.items()) if text != agreements.OPEN)
    play.state = replace(play.state, options=replace(play.state.options, agreed=answers))
    play.emit(Event("agreed", (f"agreed {number}",), amount=number, told=answer))


def in_view(state: State) -> dict[str, object]:
    """A12: the agreements here, in their own words, and each player's proposals that wait for an answer."""
    decision = state.decision
    proposals = decision.said if isinstance(decision, AskAgree) else ()
    return {
        "holds": {str(number): wording for number, wording in state.options.agreed},
        "said": [{"by": by, "number": number, "wording": wording} for by, number, wording in proposals],
        "open": [question.number for question in agreements.still_open(state.options.agreed)],
    }
