"""3: the demo round's history, played turn by turn through the services, at times in the past.

Apart from `making`, because it plays a round that is there, whoever made it, and neither removes nor tells of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from itertools import cycle
from random import Random

from judging.battles.models import Battle
from judging.command.control.writes import assign
from judging.demo import fixtures
from judging.demo.fighting import StratTexts, sendings
from judging.demo.people import CHANGED, CORRECTED, RULED, ask_for_other_troops, correct, deeds_of, rule
from judging.demo.planner import TurnPlan, plan_turn
from judging.demo.thread import Thread, Writing
from judging.demo.times import PRESENT, Calendar
from judging.game.positions import position_of
from judging.game.rounds import current_turn
from judging.mercenaries.writes import set_window
from judging.turns import stages
from judging.turns.opening import open_round
from judging.turns.posts.writes import edit_post, send_manifest, submit_post
from wargame.models import Army, Judge, Player, Round, Turn
from wargame.models.choices import Role
from wargame.rules.core import clock
from wargame.world import control_at

SEED = "Tidespire"
SILENT = {1: 1, 2: 2, 3: 1, PRESENT: 5}
"""How many players post nothing, by turn; in the present one they may still do it."""

RULES, SETTLES, PROPOSES, APPLIES = 0.004, 0.008, 0.012, 0.016
"""3.3.3: the parts of the turn after it by which the movement judge rules on a turn, lets it settle or mends it: before
anybody posts."""

Act = tuple[datetime, Callable[[datetime], object]]
Say = Callable[[str], None]


class Game:
    """A demo round that is being played."""

    def __init__(self, round_: Round, calendar: Calendar) -> None:
        self.round = round_
        self.calendar = calendar
        self.rng = Random(SEED)
        self.players = {player.name: player for player in Player.objects.filter(round=round_).select_related("user")}
        self.judge = Judge.objects.get(round=round_, role=Role.BATTLE)
        self.desk = StratTexts(self.rng)
        talk: list[str] = list(fixtures.read("history")["talk"])
        self.rng.shuffle(talk)
        self.talk: Iterator[str] = cycle(talk)

    def play(self, say: Say) -> None:
        """3.1: plays the turns before the present one to their ends, and the present one until now."""
        first = self.calendar.lock_of(1)
        turn = open_round(round=self.round, now=self.calendar.opens(1), first_lock=first)
        for number in range(1, PRESENT + 1):
            say(f"Playing turn {number} ...")
            self._play_turn(turn)
            if number < PRESENT:
                self._settle(turn)
                turn = self._next_turn(turn)

    def _play_turn(self, turn: Turn) -> None:
        acts = [*self._acts_of_players(turn), *self._acts_of_battles(turn)]
        acts += [self._act_at(turn, part, act) for part, act in deeds_of(self.round, turn.number)]
        for moment, act in sorted(acts, key=lambda act: act[0]):
            act(moment)

    def _settle(self, turn: Turn) -> None:
        """3.1, 3.3.3: the turn's end. One turn is ruled on first, while it waits for its last result; one is corrected
        when the next one has opened."""
        stages.advance(turn.pk, clock.closes(turn.lock_at))
        judge, then = Judge.objects.get(round=self.round, role=Role.MOVEMENT), turn.number + 1
        if turn.number == RULED:
            rule(turn, judge, self.calendar.moment(then, RULES))
            settles = self.calendar.moment(then, SETTLES)
            for battle in self._left_for_later(turn):
                self.desk.publish(battle, self.judge, settles)
            stages.advance(turn.pk, settles)
        if turn.number == CORRECTED:
            turn.refresh_from_db()
            correct(turn, judge, *(self.calendar.moment(then, part) for part in (PROPOSES, APPLIES)))

    def _left_for_later(self, turn: Turn) -> list[Battle]:
        """4.1.1: the last battle of the turn that is ruled on: its result comes after the lock."""
        battles = Battle.objects.filter(turn=turn).select_related("turn__round").order_by("-number")
        return list(battles[: int(turn.number == RULED)])

    def _next_turn(self, turn: Turn) -> Turn:
        opened = current_turn(self.round)
        if opened is None or opened.number != turn.number + 1:
            raise RuntimeError(f"turn {turn.number} of the demo round was not settled")
        return opened

    def _acts_of_players(self, turn: Turn) -> Iterator[Act]:
        """3.2: posts, edits, a manifest, and a change of the control list."""
        position = position_of(turn)
        owners = self._owners(turn)
        plan = plan_turn(position, owners, turn.number, self.rng)
        sealed = 1 < turn.number < PRESENT
        thread = Thread(position, plan, self.talk, self.rng)
        for post in thread.write(owners, with_sealed=sealed):
            yield from self._acts_of_post(turn, post)
        yield self._act_at(turn, 0.55, partial(self._send_manifest, turn, plan, owners))
        if turn.number < PRESENT:
            yield self._act_at(turn, 0.97, partial(self._let_the_mercenaries_be, turn))
        if turn.number == 2:
            yield self._act_at(turn, 0.99, partial(self._hand_over, plan, owners))
        if turn.number == CHANGED:
            yield self._act_at(turn, 0.8, partial(ask_for_other_troops, turn, self.judge))

    def _acts_of_battles(self, turn: Turn) -> Iterator[Act]:
        """4: the strats, and in the turns before the present one scores and results."""
        battles = list(Battle.objects.filter(turn=turn).select_related("turn__round").order_by("number"))
        for sending in sendings(battles, turn.number, self.rng):
            yield self._act_at(turn, sending.at, partial(self.desk.send, sending))
        for battle in battles if turn.number < PRESENT else []:
            due, scored = clock.closes(battle.deadline), self.rng.uniform(0.9, 0.94)
            acts = ((scored, self.desk.score), (scored + 0.05, self.desk.publish))
            for part, act in acts[:1] if battle in self._left_for_later(turn) else acts:
                yield max(due, self.calendar.moment(turn.number, part)), partial(act, battle, self.judge)

    def _act_at(self, turn: Turn, part: float, act: Callable[[datetime], object]) -> Act:
        return self.calendar.moment(turn.number, part), act

    def _owners(self, turn: Turn) -> dict[str, str]:
        """5.2: who posts for which army. Some players are silent, though none whose armies are on long moves."""
        control = control_at(self.round, turn.opened_at)
        busy = {by for army in position_of(turn).armies if army.plan for by in control.get(army.name, ())}
        silent = self.rng.sample(sorted(self.players.keys() - busy), SILENT[turn.number])
        return {army: by[0] for army, by in sorted(control.items()) if by[0] not in silent}

    def _acts_of_post(self, turn: Turn, post: Writing) -> Iterator[Act]:
        """3.1, R7: the post and its edits."""
        player, token = self.players[post.player], f"demo-{self.rng.getrandbits(64):016x}"
        (at, text), *edits = post.versions

        def submit(now: datetime) -> object:
            return submit_post(turn=turn, player=player, text=text, sealed=post.sealed, token=token, now=now)

        def edit(number: int, text: str, now: datetime) -> object:
            written = player.posts.get(turn=turn, token=token)
            return edit_post(post=written, player=player, text=text, base_version=number, now=now)

        yield self._act_at(turn, at, submit)
        for number, (later, changed) in enumerate(edits, 1):
            yield self._act_at(turn, later, partial(edit, number, changed))

    def _send_manifest(self, turn: Turn, plan: TurnPlan, owners: dict[str, str], now: datetime) -> None:
        """3.2.4.2: what the planned transfer sends, if there is one."""
        if plan.manifest:
            player = self.players[owners[plan.manifest.sender]]
            send_manifest(turn=turn, player=player, **plan.manifest._asdict(), now=now)

    def _let_the_mercenaries_be(self, turn: Turn, now: datetime) -> None:
        """R48: their judge says that he changes nothing after the lock, so that nobody waits for him."""
        judge = Judge.objects.get(round=self.round, role=Role.MERCENARY)
        set_window(turn=turn, judge=judge, done=True, now=now)

    def _hand_over(self, plan: TurnPlan, owners: dict[str, str], now: datetime) -> None:
        """5.4.2: a leader takes an army over after its player has posted, so that the orders are void."""
        name = next((name for name in plan.marching if self._may_be_handed_over(name, owners)), None)
        if name:
            army = Army.objects.get(round=self.round, name=name)
            leader = next(p for p in self.players.values() if p.side == army.side and p.may_change_control)
            assign(round=self.round, army=army, player=leader, now=now, actor=leader.user)

    def _may_be_handed_over(self, army: str, owners: dict[str, str]) -> bool:
        """5.3.2, 5.3.4: nobody's namesake, nor its player's last army, nor a leader's."""
        owner = self.players[owners[army]]
        armies = sum(by == owner.name for by in owners.values())
        return army not in self.players and armies > 2 and not owner.may_change_control
