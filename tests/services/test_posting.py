"""3.1, R4, R6, R7, R10: posting, editing and sealing, by the clock."""

from datetime import datetime, timedelta

import pytest

from judging.command.control.services import assign
from judging.common.errors import Refused
from judging.turns.models import Manifest, Post, PostVersion
from judging.turns.posts.services import MAX_LINES, MAX_POST, edit_post, send_manifest, submit_post
from judging.turns.turn_input import InputOfTurn
from tests.services.world_of_tests import (
    HOUR,
    LAST_SECOND,
    LOCK,
    LOCKED,
    UNLOCK,
    World,
    add_player,
    begin,
    make_round,
    token,
)
from wargame.rules.core.turn import ManifestEntry

pytestmark = pytest.mark.django_db


def edit(world: World, post: Post, text: str, at: datetime, base: int = 1, by: str = "Ana") -> PostVersion:
    return edit_post(post=post, player=world.players[by], text=text, base_version=base, now=at)


def last_text(post: Post) -> str:
    return post.versions.latest("number").text


def test_a_post_is_kept_as_it_was_written(world: World) -> None:
    post = world.post("Ana", "  To arms!\r\n\r\n3D > 4D  ")
    assert last_text(post) == "  To arms!\n\n3D > 4D  "
    assert (post.number, post.posted_at, post.sealed) == (1, UNLOCK + HOUR, False)


def test_the_last_second_of_the_locks_minute_is_in(world: World) -> None:
    world.post("Ana", "3D > 4D", at=LAST_SECOND)
    with pytest.raises(Refused, match="locked on Mon 9 Mar 2026, 05:00 UTC") as refused:
        world.post("Gaz", "3F > 4F", at=LOCKED)
    assert refused.value.cites == "3.1"
    assert [line.army for line in InputOfTurn(world.turn).lines] == ["Ana"]


def test_a_locked_turn_takes_no_post_and_no_edit(world: World) -> None:
    turn, post = world.turn, world.post("Ana", "3D > 4D")
    world.settle()
    with pytest.raises(Refused, match="The Orders thread of turn 1 locked"):
        submit_post(turn=turn, player=world.players["Ana"], text="3D > 5D", sealed=False, token=token(), now=LOCKED)
    with pytest.raises(Refused, match="The Orders thread of turn 1 locked"):
        edit(world, post, "3D > 5D", LOCKED)
    assert last_text(post) == "3D > 4D"


def test_a_form_sent_twice_makes_one_post_also_after_the_lock(world: World) -> None:
    turn, player, form = world.turn, world.players["Ana"], token()
    first = submit_post(turn=turn, player=player, text="hold", sealed=False, token=form, now=LOCK)
    again = submit_post(turn=turn, player=player, text="hold", sealed=False, token=form, now=LOCKED)
    assert first == again
    assert Post.objects.count() == 1


@pytest.mark.parametrize("form", ["", "x" * 41, "a\nb", "ä"])
def test_a_damaged_form_is_refused(world: World, form: str) -> None:
    with pytest.raises(Refused, match="Something went wrong with this form"):
        submit_post(turn=world.turn, player=world.players["Ana"], text="hold", sealed=False, token=form, now=LOCK)


def test_a_stranger_cannot_post(world: World) -> None:
    other = make_round({}, slug="other")
    stranger = add_player(other.round, "Zed", "coalition")
    for player in (None, stranger):
        with pytest.raises(Refused, match="Only players in this round can take part") as refused:
            submit_post(turn=world.turn, player=player, text="hold", sealed=False, token=token(), now=LOCK)
        assert refused.value.cites == "1.6"


def test_a_long_post_is_told_how_long_it_is(world: World) -> None:
    with pytest.raises(Refused, match=r"has 200,000 characters; the limit is 20,000"):
        world.post("Ana", "x" * 200_000)
    assert world.post("Ana", "x" * MAX_POST)


def test_a_post_of_many_lines_is_told_how_many(world: World) -> None:
    with pytest.raises(Refused, match=f"has {MAX_LINES + 1} lines. The limit is {MAX_LINES}"):
        world.post("Ana", "\n".join(["x"] * (MAX_LINES + 1)))


@pytest.mark.parametrize("text", ["", " \n\t\r\n "])
def test_an_empty_post_is_refused(world: World, text: str) -> None:
    with pytest.raises(Refused, match="is empty"):
        world.post("Ana", text)


@pytest.mark.parametrize("bad", ["\0", "\ud83d"])
def test_what_no_database_keeps_is_refused_with_its_line(world: World, bad: str) -> None:
    with pytest.raises(Refused, match="line 2"):
        world.post("Ana", f"hold\nab{bad}c")


def test_an_edit_stamps_only_the_lines_that_it_changed(world: World) -> None:
    post = world.post("Ana", "Hello\n3D > 4D\nBen: 10D > 11D")
    later = UNLOCK + 2 * HOUR
    version = edit(world, post, "Hello\n3D > 5D\nNew\nBen: 10D > 11D", later)
    first, second = (UNLOCK + HOUR).isoformat(), later.isoformat()
    assert version.stamps == [first, second, second, first]
    assert [(line.army, line.at) for line in InputOfTurn(world.turn).lines] == [
        ("Ana", int(later.timestamp())),
        ("Ben", int((UNLOCK + HOUR).timestamp())),
    ]


def test_a_line_that_is_moved_counts_as_changed(world: World) -> None:
    post = world.post("Ana", "one\ntwo\nthree")
    version = edit(world, post, "three\none\ntwo", UNLOCK + 2 * HOUR)
    first, second = (UNLOCK + HOUR).isoformat(), (UNLOCK + 2 * HOUR).isoformat()
    assert version.stamps == [second, first, first]


def test_every_version_is_kept(world: World) -> None:
    post = world.post("Ana", "3D > 4D")
    edit(world, post, "3D > 5D", UNLOCK + 2 * HOUR, base=1)
    edit(world, post, "hold", UNLOCK + 3 * HOUR, base=2)
    assert list(post.versions.values_list("number", "text")) == [(1, "3D > 4D"), (2, "3D > 5D"), (3, "hold")]
    assert [line.text for line in InputOfTurn(world.turn).lines] == ["hold"]


def test_a_stale_edit_is_refused_and_changes_nothing(world: World) -> None:
    post = world.post("Ana", "3D > 4D")
    edit(world, post, "3D > 5D", UNLOCK + 2 * HOUR, base=1)
    with pytest.raises(Refused, match="now at version 2, but this edit started from version 1"):
        edit(world, post, "hold", UNLOCK + 3 * HOUR, base=1)
    assert last_text(post) == "3D > 5D"


def test_the_same_edit_sent_twice_makes_one_version(world: World) -> None:
    post = world.post("Ana", "3D > 4D")
    first = edit(world, post, "3D > 5D", UNLOCK + 2 * HOUR, base=1)
    assert edit(world, post, "3D > 5D", UNLOCK + 3 * HOUR, base=1) == first


def test_only_the_author_edits(world: World) -> None:
    post = world.post("Ana", "3D > 4D")
    with pytest.raises(Refused, match="Only the author can edit"):
        edit(world, post, "3D > 5D", UNLOCK + 2 * HOUR, by="Ben")


def test_sealed_orders_are_accepted_from_28_hours_before_the_lock(world: World) -> None:
    opens = LOCK - timedelta(hours=28)
    with pytest.raises(Refused, match="You can send sealed orders from Sun 8 Mar 2026, 01:00 UTC") as refused:
        world.post("Ana", "3D > 4D", at=opens - timedelta(seconds=1), sealed=True)
    assert refused.value.cites == "R6"
    assert world.post("Ana", "3D > 4D", at=opens, sealed=True).sealed


def test_sealed_orders_count_in_the_settlement(world: World) -> None:
    world.post("Ana", "3D > 4D", at=LOCK, sealed=True)
    world.settle()
    assert world.army("Ana").at == "4D"


def test_a_line_without_a_name_means_the_namesake(world: World) -> None:
    assign(round=world.round, army=world.army("Ben"), player=world.players["Ana"], now=UNLOCK + HOUR)
    world.post("Ana", "3D > 4D", at=UNLOCK + 2 * HOUR)
    assert [line.army for line in InputOfTurn(world.turn).lines] == ["Ana"]


def test_a_line_without_a_name_means_the_only_army_at_the_time_of_posting(world: World) -> None:
    kim = world.players["Kim"] = add_player(world.round, "Kim", "coalition", "captain")
    assign(round=world.round, army=world.army("Ben"), player=kim, now=UNLOCK + HOUR)
    world.post("Kim", "10D > 11D", at=UNLOCK + 2 * HOUR)
    assign(round=world.round, army=world.army("Ana"), player=kim, now=UNLOCK + 3 * HOUR)
    world.post("Kim", "3D > 4D", at=UNLOCK + 4 * HOUR)
    assert [(line.army, line.by) for line in InputOfTurn(world.turn).lines] == [("Ben", "Kim")]


def test_a_line_knows_whether_its_author_controlled_the_army_when_he_posted(world: World) -> None:
    world.post("Ana", "3D > 4D")
    world.post("Gaz", "Ana: 3D > 5D")
    assign(round=world.round, army=world.army("Ana"), player=world.players["Ben"], now=UNLOCK + 2 * HOUR)
    assert [(line.by, line.controlled) for line in InputOfTurn(world.turn).lines] == [("Ana", True), ("Gaz", False)]
    assert InputOfTurn(world.turn).control["Ana"] == ("Ben",)


def test_control_is_read_at_the_lock_whenever_the_job_runs(world: World) -> None:
    world.post("Ana", "3D > 4D")
    assign(round=world.round, army=world.army("Ana"), player=world.players["Ben"], now=LOCKED)
    assert InputOfTurn(world.turn).control["Ana"] == ("Ana",)
    world.settle(LOCKED + HOUR)
    assert world.army("Ana").at == "4D"


def manifest(world: World, by: str, sender: str, receiver: str, *entries: ManifestEntry) -> Manifest:
    return send_manifest(
        turn=world.turn,
        player=world.players[by],
        sender=sender,
        receiver=receiver,
        entries=entries or (ManifestEntry(1, 500),),
        now=UNLOCK + HOUR,
    )


def test_a_manifest_is_kept_with_the_names_of_the_map(world: World) -> None:
    sent = manifest(world, "Ana", "ana", "BEN", ManifestEntry(2, 300, "Ana 2/2"))
    assert (sent.sender, sent.receiver) == ("Ana", "Ben")
    assert sent.entries == [{"slot": 2, "number": 300, "creature": "Ana 2/2"}]


@pytest.mark.parametrize(
    ("arguments", "cites"),
    [
        (("Ana", "Ana", "Nobody"), "3.2.2.5"),
        (("Ben", "Ana", "Ben"), "5.4.1"),
        (("Ana", "Ana", "Gaz"), "3.2.4.1"),
        (("Ana", "Ana", "Ana"), "3.2.4.1"),
        (("Ana", "Ana", "Ben", ManifestEntry(1, 5001)), "2.3.3"),
        (("Ana", "Ana", "Ben", ManifestEntry(1, 3000), ManifestEntry(1, 3000)), "2.3.3"),
        (("Ana", "Ana", "Ben", ManifestEntry(1, 10, "Dragon")), "2.3.3"),
        (("Ana", "Ana", "Ben", ManifestEntry(5, 10)), "3.2.4.2"),
        (("Ana", "Ana", "Ben", ManifestEntry(1, 0)), "3.2.4.2"),
    ],
)
def test_a_manifest_that_can_never_fit_is_refused(world: World, arguments: tuple[object, ...], cites: str) -> None:
    with pytest.raises(Refused) as refused:
        manifest(world, *arguments)  # type: ignore[arg-type]
    assert refused.value.cites == cites
    assert not Manifest.objects.exists()


def test_troops_are_transferred_by_order_and_manifest() -> None:
    world = make_round({"Ana": ("coalition", "3D", "captain"), "Ben": ("coalition", "4D", "captain")})
    world.army("Ben").troops.filter(slot=1).update(alive=4000, of=4000)
    begin(world)
    world.post("Ana", "transfer to Ben at 4D")
    manifest(world, "Ana", "Ana", "Ben", ManifestEntry(1, 500))
    world.settle()
    assert world.army("Ana").troops.get(slot=1).alive == 4500
    assert sum(world.army("Ben").troops.filter(slot=1).values_list("alive", flat=True)) == 4500
