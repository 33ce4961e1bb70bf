"""2.5: a group starts its own round: from an empty database to turn 1, the judge in a browser. Strict CSP holds."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.armies.models import HandedIn, Muster
from judging.command.models import Admission
from judging.setup.models import PlannedSite
from tests.pages.catalogue import fill_catalogue
from tests.pages.looking import fits
from tests.pages.raising import RED, camp_round
from tests.pages.setting_up import SQUARES, TOWNS, said
from wargame.models import Army, Control, Player, Round, Turn

PASSWORD = "a-long-word-for-tests"
NUMBERS = (1, 1, 0, 0, 0, 1)

PEOPLE = {
    "Una": ("coalition", "general", ("white", "blue", "multicolor")),
    "Gaz": ("phyrexia", "chief_praetor", ()),
    "Rio": ("coalition", "lieutenant", ("red",)),
    "Hex": ("phyrexia", "centurion", ()),
}
"""Two leaders, who come first, and a player each."""


@dataclass
class Group:
    """The people of a round that is founded, each with a client; the judge has a browser."""

    page: Page
    url: str
    clients: dict[str, Client] = field(default_factory=dict)

    @property
    def round(self) -> Round:
        return Round.objects.get()

    def address(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.round.slug, *args])

    def step(self, name: str) -> Page:
        self.page.goto(f"{self.url}{self.address(f'setup-{name}')}")
        return self.page

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def told(self, text: str) -> None:
        expect(self.page.locator("#messages")).to_contain_text(text)

    def done(self, title: str) -> None:
        """The step is ticked in the list of steps."""
        expect(self.page.get_by_role("navigation", name="Set-up steps")).to_contain_text(f"{title} done")

    def join(self, who: str) -> None:
        """Signs up and asks a team for admission."""
        side, _, factions = PEOPLE[who]
        self.sign_up(who)
        asked = {"act": "ask", "token": f"{who} asks", "side": side, "name": who, "text": "I play every week."}
        asked |= {f"faction{place}": faction for place, faction in enumerate(factions, 1)}
        assert self.clients[who].post(self.address("join"), asked).status_code == 302

    def sign_up(self, who: str) -> None:
        client = self.clients.setdefault(who, Client())
        given = {"name": who, "password": PASSWORD, "mail": ""}
        assert client.post(reverse("sign-up"), given).status_code == 302

    def post(self, who: str, to: str, /, *args: object, **data: Any) -> HttpResponse:
        response = self.clients[who].post(self.address(to, *args), data)
        assert response.status_code == 302, said(response)
        return response

    def muster(self, who: str, rank: str = "", **typed: Any) -> Muster:
        begun = self.post(who, "muster-new", rank=rank, token=f"{who} {rank}")
        muster = Muster.objects.get(pk=int(begun.url.rstrip("/").split("/")[-1]))
        given = {"name": muster.name, "colors": muster.colors, "rank": muster.rank, "version": muster.version}
        self.post(who, "muster", muster.pk, act="send", **{**given, **typed})
        return Muster.objects.get(pk=muster.pk)


@pytest.fixture
def browse(transactional_db: None, live_server: LiveServer, browser: Browser) -> Iterator[Any]:
    """`browse(javascript=True, width=1280)`: a page of an empty site; what the browser complains of fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(javascript: bool = True, width: int = 1280, **options: Any) -> Page:
        viewport = {"width": width, "height": 900}
        context = browser.new_context(java_script_enabled=javascript, viewport=viewport, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda told: _complain(complaints, told.type, told.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def _complain(complaints: list[str], kind: str, text: str) -> None:
    """That a form was refused, which it was meant to be, is no complaint."""
    if kind == "error" and "422" not in text and "409" not in text:
        complaints.append(text)


def log_in(page: Page, url: str, name: str) -> None:
    page.goto(f"{url}/accounts/login/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Log in").click()


def enter(page: Page, url: str, user: Any) -> None:
    """The browser is logged in as that user."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])


def test_a_new_judge_leads_an_empty_database_to_turn_1(
    browse: Any, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2.5, from the first paragraph to the last."""
    fill_catalogue()
    monkeypatch.setattr("getpass.getpass", lambda prompt: PASSWORD)
    call_command("allow_rounds", "judy")
    group = Group(browse(), live_server.url)
    page = group.page
    log_in(page, group.url, "judy")

    _found(group)
    _lay_out(group)
    _gather(group)
    _reveal(group)
    _muster(group)
    _place(group)
    _start(group)


def _found(group: Group) -> None:
    """2.5.2.1, 1.3, R5: name, numbers, judges, calendar."""
    page = group.page
    page.goto(f"{group.url}/new-round/")
    page.get_by_label("Name of the round").fill("Our First War")
    group.press("Start the set-up")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Set-up of Our First War")

    group.step("name")
    for tier, number in enumerate(NUMBERS, 1):
        page.locator(f"[name=rank{tier}]").fill(str(number))
    group.press("Save")
    group.done("Name and armies")
    for who, role in (("Mo", "Movement judge"), ("Merle", "Mercenary judge")):
        group.sign_up(who)
        group.step("judges")
        page.get_by_label("Log-in").fill(who)
        page.get_by_label("Role").select_option(role)
        group.press("Appoint")
    group.done("Judges")
    group.step("calendar")
    group.press("Save")
    group.done("Calendar")


def _lay_out(group: Group) -> None:
    """1.2, 2.5.1.1, 2.5.1.4: the map, the bases, the towns. A portal 2 squares from a base is told while typing."""
    page = group.step("terrain")
    page.get_by_text("Start from another map").click()
    page.once("dialog", lambda dialog: dialog.accept())
    group.press("The demo's map")
    page.get_by_role("button", name="Save the map").click()
    group.done("Terrain")

    group.step("bases")
    for name, at in SQUARES.items():
        page.get_by_label(f"Square of {name}").fill(at)
    page.get_by_label("Square of Portal 1").fill("16H")
    expect(page.locator("#sites-faults")).to_contain_text("is 2 squares from")
    expect(page.locator("#sites-faults")).to_contain_text("2.5.1.1")
    page.get_by_label("Square of Portal 1").fill(SQUARES["Portal 1"])
    expect(page.locator("#sites-faults")).not_to_contain_text("squares from")
    group.press("Save")
    group.done("Bases and portals")
    group.step("towns")
    for name, at in TOWNS.items():
        page.get_by_label(f"Square of {name}").fill(at)
    group.press("Save")
    group.done("Towns")


def _gather(group: Group) -> None:
    """1.1: people sign up and ask for admission; while a team has no leader, the judge takes them in."""
    for who in ("Una", "Gaz"):
        group.join(who)
    page = group.page
    for who in ("Una", "Gaz"):
        asked = Admission.objects.get(name=who)
        page.goto(f"{group.url}{reverse('judge:command', args=[group.round.pk])}")
        form = page.locator(f"form:has(input[name=admission][value='{asked.pk}'])")
        form.locator("select[name=rank]").select_option(PEOPLE[who][1])
        form.get_by_role("button", name="Accept").click()
        expect(form).to_have_count(0)
    for who, leader in (("Rio", "Una"), ("Hex", "Gaz")):
        group.join(who)
        asked = Admission.objects.get(name=who)
        group.post(leader, "admissions", act="accept", admission=asked.pk, rank=PEOPLE[who][1])
    ranks = {who: rank for who, (_, rank, _) in PEOPLE.items()}
    assert dict(Player.objects.values_list("name", "rank")) == ranks


def _reveal(group: Group) -> None:
    """2.5.1.2, 2.5.1.3: descriptions, the secret win conditions, the reveal."""
    for who, kind in (("Una", "base"), ("Gaz", "portal")):
        sites = PlannedSite.objects.filter(kind=kind)
        texts = {f"text-{site.pk}": f"{site.name} has thick walls." for site in sites}
        texts |= {f"version-{site.pk}": str(site.version) for site in sites}
        group.post(who, "setup-team-descriptions", act="send", **texts)
    group.post("Una", "setup-team-wins", win=[s.pk for s in PlannedSite.objects.filter(kind="base")[:5]])
    page = group.step("descriptions")
    waiting = page.get_by_role("button", name="Accept the description")
    for left in reversed(range(waiting.count())):
        waiting.first.click()
        expect(waiting).to_have_count(left)
    group.done("Descriptions")
    group.done("Win conditions")
    group.step("reveal")
    group.press("Reveal the bases now")
    group.told("The bases are public.")


def _muster(group: Group) -> None:
    """2.5.2.1, 2.5.2.2: musters come, one is asked for by name alone, one never comes, the rest is made up."""
    page = group.page
    slots = {f"slot{slot}": text for slot, text in enumerate(RED, 1)}
    group.muster("Rio", **slots, base="Red Base")
    group.muster("Hex", slot1="5000 Bog Imp", slot2="2500 Scathe Zombies")
    group.muster("Gaz", slot1="5000 Grinning Demon")
    group.muster("Una", "admiral", name="Dawn Patrol", colors=["white", "blue", "red"])

    group.step("armies")
    expect(page.get_by_role("textbox", name="Reminder text to copy")).to_have_value(_reminder(group))
    for who in ("Rio", "Hex", "Gaz"):
        group.step("armies").get_by_role("link", name=who, exact=True).click()
        group.press("Accept")
        expect(page.get_by_role("main")).to_contain_text(f"You accepted {who}.")
    group.step("armies").get_by_role("button", name="Fill it in for Una").click()
    group.told("Una is now a proposal.")
    page.get_by_role("button", name="Fill in 2 armies").click()
    group.told("Filled in: 2.")

    page.get_by_role("link", name="Edit Una").click()
    page.get_by_role("textbox", name="Slot 1", exact=True).fill("5001 Blazing Archon")
    expect(page.locator("#judged")).to_contain_text("1 thing to fix")
    group.press("Accept")
    expect(page.locator("#refused")).to_contain_text("Slot 1 can hold 5,000; here it has 5,001")
    expect(page.locator("#refused")).to_contain_text("2.1.1")
    page.get_by_role("textbox", name="Slot 1", exact=True).fill("5000 Blazing Archon")
    group.press("Accept")
    group.told("You accepted Una.")
    page.get_by_role("button", name="Accept 2 legal armies").click()
    group.told("Accepted: 2.")
    group.done("Musters")
    group.done("Proxies")
    assert Muster.objects.filter(state=HandedIn.ACCEPTED).count() == 6


def _reminder(group: Group) -> str:
    address = f"{group.url}{group.address('musters')}"
    return (
        "Musters still missing in Our First War, the Coalition (2.5.2.2): Una (General).\n"
        f"Write yours, with a name, colours and troops, and submit it: {address}"
    )


def _place(group: Group) -> None:
    """2.5.2.3, 2.5.3: the leaders ask, the judge drops, drags and accepts; the mercenaries come."""
    page = group.page
    proxy = Muster.objects.get(name="Dawn Patrol")
    group.post("Una", "setup-starts", **{f"base-{proxy.pk}": "Blue Base", f"controller-{proxy.pk}": _key("Una")})
    group.step("placement")
    group.press("Place all armies")
    group.told("6 armies moved.")
    _drag(page, "Square of Rio", "12F")
    expect(page.get_by_label("Square of Rio")).to_have_value("12F")
    group.press("Accept these squares")
    group.told("The squares are accepted.")
    group.done("Placement")
    group.step("mercenaries")
    group.press("Pick ten armies at random")
    group.told("Mercenary armies picked at random: 10.")
    group.press("Accept the mercenaries")
    group.done("Mercenaries")


def _start(group: Group) -> None:
    """R38, 5.2.1, 2.5: the book and its commitment, the control list, and the start, which happens once."""
    page = group.step("start")
    expect(page.get_by_role("button", name="Start Our First War")).to_be_disabled()
    expect(page.locator("main")).to_contain_text("1 problem to fix")
    page.get_by_role("link", name="Formula book").last.click()
    group.press("Draw a book")
    expect(page.locator("main")).to_contain_text("Commitment")
    group.step("control")
    expect(page.locator("main")).to_contain_text("one army without a controller at the start")
    group.step("start")
    expect(page.locator("main")).to_contain_text("Ready to start.")
    group.press("Start Our First War")
    group.told("Our First War has started: turn 1 is open.")

    turn = Turn.objects.get()
    assert (turn.number, turn.state) == (1, "open")
    assert Army.objects.filter(at="12F").get().name == "Rio"
    assert Army.objects.count() == 16
    listed = {control.army.name: control.player.name for control in Control.objects.all()}
    assert listed == {"Una": "Una", "Rio": "Rio", "Gaz": "Gaz", "Hex": "Hex", "Dawn Patrol": "Una"}
    page.goto(f"{group.url}{group.address('setup-start')}")
    expect(page).to_have_url(f"{group.url}{group.address('map')}")
    response = group.clients["Rio"].post(group.address("post-new"), {"text": "12F > 12G", "token": "an order"})
    assert response.status_code == 302, said(response)


def _key(name: str) -> int:
    return Player.objects.get(name=name).pk


def _drag(page: Page, label: str, square: str) -> None:
    page.locator("#setup-map").scroll_into_view_if_needed()
    start, end = (_middle(page, name) for name in (page.get_by_label(label).input_value(), square))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.mouse.move(*end, steps=3)
    page.mouse.up()


def _middle(page: Page, square: str) -> tuple[float, float]:
    column, row = int(square[:-1]), ord(square[-1]) - 65
    box = page.evaluate(
        "(() => { const m = document.querySelector('#setup-map .map__svg').getScreenCTM(); return [m.a, m.e, m.f]; })()"
    )
    return box[1] + (column - 0.5) * 32 * box[0], box[2] + (row + 0.5) * 32 * box[0]


@pytest.mark.slow
def test_without_javascript_armies_are_placed_by_typing(browse: Any, live_server: LiveServer) -> None:
    """2.5.2.3, R1."""
    camp = camp_round()
    camp.fill_all()
    page = browse(javascript=False)
    enter(page, live_server.url, camp.users["Judy"])
    page.goto(f"{live_server.url}{camp.url('setup-placement')}")
    page.get_by_role("button", name="Place all armies").click()
    page.get_by_label("Square of Rio").fill("26F")
    page.get_by_role("button", name="Accept these squares").click()
    expect(page.locator("#refused")).to_contain_text("Rio would start on Portal 1, an enemy base.")
    expect(page.get_by_label("Square of Rio")).to_have_value("26F")

    page.get_by_label("Square of Rio").fill("f12")
    page.get_by_role("button", name="Accept these squares").click()
    expect(page.locator("#messages")).to_contain_text("The squares are accepted.")
    expect(page.get_by_label("Square of Rio")).to_have_value("12F")


@pytest.mark.slow
def test_an_army_is_picked_up_and_put_down_with_the_keyboard(browse: Any, live_server: LiveServer) -> None:
    """2.5.2.3: Enter on its square, arrow keys, Enter; the faults follow."""
    camp = camp_round()
    camp.fill_all()
    camp.do("setup-placement", "fill")
    camp.do("setup-placement", "save", **camp.squares(Rio="12C"))
    page = browse()
    enter(page, live_server.url, camp.users["Judy"])
    page.goto(f"{live_server.url}{camp.url('setup-placement')}")
    page.get_by_label("Square of Rio").focus()
    page.locator("#setup-cursor").focus()
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_label("Square of Rio")).to_have_value("12A")
    for key in ("ArrowDown",) * 3 + ("Enter",):
        page.keyboard.press(key)

    expect(page.get_by_label("Square of Rio")).to_have_value("12D")
    expect(page.locator("#placement-faults")).to_contain_text("All 12 have a square.")
    expect(page.locator("#setup-overlay [data-built='12D'] title")).to_contain_text(["Red Base", "Rio"])


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_no_step_of_the_armies_scrolls_sideways(browse: Any, live_server: LiveServer, scheme: str) -> None:
    camp = camp_round()
    camp.do("setup-proxies", "make-up")
    page = browse(width=375, color_scheme=scheme)
    enter(page, live_server.url, camp.users["Judy"])
    _fits(page, live_server.url, camp, "armies", "proxies")
    page.get_by_role("link", name="Edit").first.click()
    fits(page)

    camp.ready()
    _fits(page, live_server.url, camp, "placement", "mercenaries", "book", "control", "start")
    enter(page, live_server.url, camp.users["Una"])
    _fits(page, live_server.url, camp, "starts")


def _fits(page: Page, url: str, camp: Any, *steps: str) -> None:
    for step in steps:
        page.goto(f"{url}{camp.url(f'setup-{step}')}")
        fits(page)
