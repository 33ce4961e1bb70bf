"""4.2, R54, R55, R58, R59: battles are scored, rolled, published and judged anew through the API."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from judging.accounts.tokens.services import make_token
from judging.battles.desk.scoring import name_second_judge
from judging.battles.models import Opinion, Result, Score
from tests.api.conftest import Api
from tests.services.world_of_tests import HOUR, REASONS, add_judge
from wargame.models import Judge

SAID = [
    {"criterion": name, "number": one.number, "text": one.text, "departs": one.departs} for name, one in REASONS.items()
]
THREE = {"favours": 0, "bonus": 3, "reasons": SAID}


@pytest.fixture
def due(api: Api) -> Api:
    """Both strats are in, so that the battle can be scored."""
    for name in ("Ana", "Gaz"):
        api.world.strat(api.battle, name, name, f"{name} holds the ridge.", now=api.battle.announced_at + HOUR)
    return api


def sent(api: Api, step: str, body: object = None, who: str = "battle", method: str = "post") -> Any:
    path = f"{api.root}/desk/battles/{api.battle.pk}/{step}"
    return getattr(api.client(who), method)(path, body, format="json")


def test_a_battle_is_scored_rolled_and_published_as_on_the_desk(due: Api) -> None:
    sheet = sent(due, "", method="get").json()
    assert (sheet["step"], [side["named"][:3] for side in sheet["sides"]]) == ("score", ["Ana", "Gaz"])
    assert "Ana holds the ridge." in [strat["text"] for strat in sheet["sides"][0]["armies"][0]["strats"]]
    assert {one["name"] for one in sheet["criteria"]} == set(REASONS) - {""}
    saved = sent(due, "narrative/", {"text": "It was short.", "version": 0}, method="put").json()
    assert saved["narrative"] == {"text": "It was short.", "version": 1}
    locked = sent(due, "score/", THREE).json()
    assert (locked["step"], locked["score"]["bonus"], len(locked["score"]["reasons"])) == ("roll", 3, len(SAID))
    rolled = sent(due, "roll/", method="put").json()
    assert rolled["step"] == "publish"
    assert rolled["rolled"]["winner"] in (0, 1)
    assert sent(due, "roll/", method="put").json()["rolled"] == rolled["rolled"]
    assert not Result.objects.exists()
    done = sent(due, "publish/", {}).json()
    assert (done["step"], done["rolled"]) == ("published", None)
    result = due.get(f"/battles/{due.battle.pk}/").json()["result"]  # type: ignore[attr-defined]
    assert "It was short." in result["narrative_html"]
    assert result["winner"] == rolled["rolled"]["winner"]


@pytest.mark.parametrize(
    ("body", "status", "cites", "says"),
    [
        ({"favours": 0, "bonus": 3}, 409, "R54", "Mark “Plan against this enemy”"),
        ({"favours": 0, "bonus": 3, "reasons": [{**one, "text": ""} for one in SAID]}, 409, "R54", "Give a reason"),
        (
            {"favours": 0, "bonus": 9, "reasons": [{**one, "departs": ""} for one in SAID]},
            409,
            "R54",
            "suggested by your marks is +3",
        ),
        ({"favours": None, "bonus": 3, "reasons": SAID}, 409, "4.2.1", "which side"),
        ({"favours": 0, "bonus": 11, "reasons": SAID}, 400, "", "fields"),
        ({"favours": 2, "bonus": 1, "reasons": SAID}, 400, "", "fields"),
        (
            {"favours": 0, "bonus": 1, "reasons": [{**SAID[0], "criterion": "Luck"}]},
            409,
            "R54",
            "Luck",
        ),
        ({"favours": 0, "bonus": 1, "reasons": [{**SAID[0], "number": 11}]}, 400, "", "fields"),
        ({"favours": 0, "bonus": 1, "reasons": [{**SAID[0], "text": "nul \0"}]}, 400, "", "fields"),
        ({"favours": 0, "bonus": 1, "reasons": "x"}, 400, "", "fields"),
    ],
)
def test_a_score_that_can_not_be_is_refused_with_its_rule(
    due: Api, body: object, status: int, cites: str, says: str
) -> None:
    answer = sent(due, "score/", body)
    assert (answer.status_code, answer.json()["cites"]) == (status, cites)
    assert says in answer.json()["detail"]
    assert not Score.objects.exists()


def test_another_score_another_narrative_and_dice_before_the_score_are_refused(due: Api) -> None:
    assert sent(due, "roll/", method="put").json()["cites"] == "R38"
    assert sent(due, "publish/", {"narrative": ""}).status_code == 409
    assert sent(due, "narrative/", {"text": "First.", "version": 0}, method="put").status_code == 200
    stale = sent(due, "narrative/", {"text": "Second.", "version": 0}, method="put")
    assert (stale.status_code, stale.json()["cites"]) == (409, "4.1.1")
    assert sent(due, "score/", THREE).status_code == sent(due, "score/", THREE).status_code == 200
    other = sent(due, "score/", {**THREE, "bonus": 4})
    assert (other.status_code, other.json()["cites"]) == (409, "R38")


@pytest.mark.parametrize(("who", "status"), [("", 403), ("Ana", 403), ("movement", 403), ("mercenary", 403)])
def test_the_desk_is_closed_to_all_but_battle_judges(due: Api, who: str, status: int) -> None:
    assert sent(due, "", who=who, method="get").status_code == status
    assert sent(due, "score/", THREE, who=who).status_code == status


def test_a_token_needs_the_scope_of_judges(due: Api) -> None:
    judge: User = due.world.judges["battle"].user
    path = f"{due.root}/desk/battles/{due.battle.pk}/"
    for scopes, status in ((["read", "post"], 403), (["read", "post", "judge"], 200)):
        now = due.battle.announced_at + 2 * HOUR
        _, text = make_token(user=judge, name=f"of {len(scopes)}", scopes=scopes, days=30, now=now)
        answer = due.client().get(path, headers={"Authorization": f"Bearer {text}"})
        assert answer.status_code == status


def test_of_two_judges_neither_reads_the_others_score_before_both_are_locked(due: Api) -> None:
    second = add_judge(due.world.round, "battle", "Judge Second", is_head=False)
    due.world.judges["second"] = second
    now = due.battle.announced_at + 2 * HOUR
    name_second_judge(battle=due.battle, judge=due.world.judges["battle"], second=second, now=now)
    own = sent(due, "score/", THREE).json()
    assert (own["own"]["bonus"], own["score"], own["both"]) == (3, None, [])
    hidden = sent(due, "", who="second", method="get")
    assert '"bonus":3' not in hidden.content.decode()
    assert hidden.json()["step"] == "opinion"
    both = sent(due, "score/", {**THREE, "bonus": 5}, who="second").json()
    assert (Opinion.objects.count(), both["score"]["bonus"], both["step"]) == (2, 4, "roll")


def test_the_head_overrules_a_score_with_marks_and_reasons(due: Api) -> None:
    due.world.judges["second"] = add_judge(due.world.round, "battle", "Judge Second", is_head=False)
    assert sent(due, "score/", THREE, who="second").status_code == 200
    body = {"favours": "1", "bonus": 5, "reasons": SAID, "reason": "Read it again."}
    assert sent(due, "acts/overrule/", body, who="second").json()["cites"] == "1.3"
    bare = sent(due, "acts/overrule/", {**body, "reasons": []})
    assert (bare.status_code, "number_0" in bare.json()["fields"]) == (400, True), bare.content
    done = sent(due, "acts/overrule/", body)
    assert done.status_code == 200, done.content
    assert done.json() == {
        "said": "You overruled the score. Yours counts.",
        "next": f"/judge/battles/{due.battle.pk}/?open=score#score",
    }
    assert (Score.objects.get().judge, Score.objects.get().bonus) == (due.world.judges["battle"], 5)


def anew(api: Api, body: object = None, who: str = "battle", key: int | None = None) -> Any:
    path = f"{api.root}/battles/{api.battle.pk}/rejudgements/"
    client = api.client(who)
    if key is not None:
        return client.patch(f"{path}{key}/", body, format="json")
    return client.get(path) if body is None else client.post(path, body, format="json")


def test_a_published_battle_is_judged_anew_and_everybody_reads_it_once_it_is_applied(due: Api) -> None:
    due.world.score(due.battle, favours=1, bonus=10)
    due.world.judges["second"] = add_judge(due.world.round, "battle", "Judge Second", is_head=False)
    given = {"favours": 0, "bonus": 10, "reasons": SAID, "cites": "4.2.1", "reason": "I misread it.", "token": "t1"}
    for wrong, cites in (({"reasons": []}, "R54"), ({"cites": "99.1"}, "R58"), ({"accepted": [77]}, "R35")):
        refused = anew(due, {**given, **wrong, "token": "t2"})
        assert (refused.status_code, refused.json()["cites"]) == (409, cites)
    assert anew(due, given, who="Ana").json()["cites"] == "1.3"
    made = anew(due, given)
    assert (made.status_code, made.json()["state"]) == (201, "proposed")
    assert made.json()["winners_now"] == [], "nobody sees the outcome of a locked score (R58)"
    assert anew(due).json()["count"] == 1
    assert anew(due, who="Ana").json()["count"] == anew(due, who="").json()["count"] == 0
    assert anew(due, {"apply": True}, key=77).status_code == 404
    assert anew(due, {}, key=made.json()["id"]).status_code == 400
    alone = anew(due, {"apply": True}, key=made.json()["id"])
    assert (alone.status_code, alone.json()["cites"]) == (409, "R53")
    agreed = anew(due, {"apply": True}, key=made.json()["id"], who="second").json()
    assert (agreed["state"], agreed["by"], agreed["decided_by"]) == ("applied", "Judge battle", "Judge Second")
    assert Result.objects.get().winner == 0
    [public] = anew(due, who="").json()["results"]
    assert (public["score_before"], public["winners_now"]) == ("+10 for Gaz", ["Ana"])
    assert [one["text"] for one in public["reasons"]] == [one["text"] for one in SAID]
    dropped = anew(due, {"apply": False}, key=made.json()["id"])
    assert (dropped.status_code, dropped.json()["cites"]) == (409, "R58")


def test_a_battle_of_another_round_is_none_of_this_one(due: Api) -> None:
    assert due.client("battle").get(f"{due.root}/battles/99999999999/rejudgements/").status_code == 404
    assert due.client("battle").get(f"{due.root}/desk/battles/99999999999/").status_code == 404


def test_a_judge_names_a_deputy_of_his_role(api: Api) -> None:
    second = add_judge(api.world.round, "battle", "Judge Second", is_head=False)
    client, path = api.client("battle"), f"{api.root}/judges/deputy/"
    named = client.put(path, {"deputy": second.pk, "role": "battle"}, format="json")
    assert named.json()["deputy"] == "Judge Second"
    other = Judge.objects.get(round=api.world.round, role="movement")
    wrong = client.put(path, {"deputy": other.pk, "role": "battle"}, format="json")
    assert (wrong.status_code, wrong.json()["cites"]) == (409, "R59")
    assert client.put(path, {"deputy": None, "role": "movement"}, format="json").status_code == 403
    assert client.put(path, {"deputy": 2**40, "role": "battle"}, format="json").status_code == 404
    assert client.put(path, {"role": "battle"}, format="json").status_code == 400
    assert client.put(path, {"deputy": None, "role": "battle"}, format="json").json()["deputy"] == ""
    assert api.client("Ana").put(path, {"deputy": None, "role": "battle"}, format="json").status_code == 403


def test_a_score_waits_for_the_strats(api: Api) -> None:
    early = sent(api, "score/", THREE)
    assert (early.status_code, early.json()["cites"]) == (409, "4.1.1")
    api.go_to(api.battle.deadline + timedelta(minutes=2))
    stratless = sent(api, "", method="get").json()
    assert stratless["rules_score"]
    assert sent(api, "score/", THREE).json()["cites"] == "R36"
    assert sent(api, "publish/", {}).json()["step"] == "published"
