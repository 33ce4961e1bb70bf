"""In another language a page says the same: what is marked is translated, what is done stays marked, and who reads
chooses."""

import re
from datetime import UTC, datetime
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from django.contrib.auth.models import Group, User
from django.contrib.auth.signals import user_logged_in
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation.trans_real import TranslationCatalog
from pytest_django import DjangoAssertNumQueries, Settings

from judging.accounts.queries import language_of, speaking_to
from judging.common import stored_messages as kept
from judging.common.accounts import DEMO_GROUP
from judging.tables.proof.checks import Check
from judging.templatetags.wargame_tags import in_words, utc
from scripts.messages import (
    CATALOGUES,
    PAGES,
    SCRIPTS,
    compiled,
    gathered,
    in_step,
    is_whole,
    read,
    sources,
    templates,
    written,
)
from tests.languages.untranslated import (
    EXCUSED,
    NOT_SHOWN,
    PROJECT,
    SEARCHED,
    files,
    lacking,
    name_of,
    of_file,
    of_python,
    of_script,
    of_template,
)
from tests.pages.playing import PASSWORD, Game, game
from tests.services.world_of_tests import HOUR, LOCK
from wargame.rules.armies.findings import MusterFault
from wargame.rules.battle.book_checks import faults_of
from wargame.rules.battle.criteria import DEFAULT_CRITERIA, default_criteria
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.core.faults import Finding
from wargame.rules.core.phrases import phrase_from_json, phrase_in, phrase_to_json
from wargame.rules.core.saying import grouped
from wargame.rules.core.wording import listed
from wargame.rules.mercenaries.events import WhyNotSpawned
from wargame.rules.mercenaries.reasoning import Course
from wargame.web.languages import LanguageMiddleware

__all__ = ["game"]

CATALOGUE_FILES = sorted(CATALOGUES.glob("*/LC_MESSAGES/*.po"))
FIELD = re.compile(r"(%\(\w+\)[sd]|%%|%|\{\w+(?::[^}]*)?\})")
WORDS_OF_FILTERS = re.compile(r'\|(?:default|default_if_none|yesno|add|join):"([^"]*[A-Za-z]{2}[^"]*)"')
CODES_OF_FILTERS = {"&nbsp;", "none", "rank:captain", "rank:evincar"}
BOTH = [("en-gb", "English"), ("de", "Deutsch")]


@pytest.fixture
def both(settings: Settings) -> None:
    settings.LANGUAGES = BOTH


@cache
def marked(domain: str = PAGES) -> Catalog:
    """All that is marked, gathered once: it takes three seconds."""
    return gathered(domain)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_every_sentence_of_a_file_is_marked(path: Path) -> None:
    assert of_file(path) == []


def test_every_exception_has_a_reason_and_is_there() -> None:
    names = [name_of(path) for pattern in SEARCHED for path in PROJECT.glob(pattern)]
    assert [pattern for pattern in NOT_SHOWN if not any(fnmatch(name, pattern) for name in names)] == []
    assert all(reason for reason in (*EXCUSED.values(), *NOT_SHOWN.values()))


@pytest.mark.parametrize("path", CATALOGUE_FILES, ids=lambda path: f"{path.parts[-3]} {path.stem}")
def test_a_catalogue_has_every_sentence_that_is_marked_and_no_other(path: Path) -> None:
    known = read(path)
    renewed = in_step(known, marked(path.stem))
    assert written(renewed).decode() == path.read_text(encoding="utf-8"), "run `make messages`"
    assert path.with_suffix(".mo").read_bytes() == compiled(known), "run `make messages`"


@pytest.mark.parametrize("path", CATALOGUE_FILES, ids=lambda path: f"{path.parts[-3]} {path.stem}")
def test_every_sentence_is_translated_with_the_same_fields_and_tags(path: Path) -> None:
    messages = [message for message in read(path) if message.id]
    assert [message.id for message in messages if not is_whole(message)] == []
    assert [message.id for message in messages if not _agrees(message)] == []


def _agrees(message: Message) -> bool:
    """A form for one thing may leave the number out; else fields, tags and rules are those of the original."""
    originals = [message.id] if isinstance(message.id, str) else list(message.id)
    told = [message.string] if isinstance(message.string, str) else list(message.string)
    needed, allowed = set(FIELD.findall(originals[-1])), {field for each in originals for field in FIELD.findall(each)}
    if any(set(FIELD.findall(each)) - allowed for each in told) or needed - set(FIELD.findall(told[-1])):
        return False
    return all(_marks(each) == _marks(originals[-1]) for each in told)


def _marks(text: str) -> list[str]:
    return sorted(re.findall(r"</?\w+[^>]*>|\b[1-6]\.\d[\d.]*\d\b|\bR\d+\b|&\w+;", text))


def test_no_sentence_of_ours_is_changed_by_the_framework_in_english() -> None:
    ids = [message.id for message in marked() if isinstance(message.id, str) and message.id and not message.context]
    with translation.override("en-gb"):
        assert [text for text in ids if translation.gettext(text) != text] == []


def test_literals_within_tags_of_templates_are_gathered() -> None:
    assert gathered(paths=[PROJECT / "templates/registration/_tokens.html"]).get("when you revoke it")


@pytest.mark.parametrize("path", list(sources(SCRIPTS)), ids=lambda path: path.name)
def test_a_script_says_nothing_that_nobody_marked(path: Path) -> None:
    assert of_script(path.read_text(encoding="utf-8")) == []


def test_sentences_of_a_script_outside_of_gettext_are_found() -> None:
    assert of_script('say(gettext("It is so."), "It is not."); at.textContent = `Turn ${n} is open`; a("Stop")') == [
        *("It is not.", "Turn ${n} is open", "Stop"),
    ]


def test_no_sentence_is_marked_within_an_f_string_where_nobody_gathers_it() -> None:
    within = re.compile(r"""\{(?:said|said_as|counted|n?p?gettext)\((?:"|')""")
    found = [
        path.name for path in sources() if path.suffix == ".py" and within.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_whoever_tells_a_sentence_gives_all_of_its_fields() -> None:
    modules = [path for path in sources() if path.suffix == ".py"]
    assert [(path.name, found) for path in modules if (found := lacking(path.read_text(encoding="utf-8")))] == []
    assert lacking('gettext("%(a)s is %(b)s.") % {"a": 1}') == ["b"]
    assert lacking('said("%(a)s is %(b)s.", b=1)') == ["a"]
    assert lacking('counted("%(number)s day", "%(number)s days of %(a)s", 3)') == ["a"]
    assert lacking('gettext("%(a)s is %(b)s.") % {"a": 1, **more}') == []


def test_text_outside_of_the_tags_is_found() -> None:
    assert of_template('<p title="Well">{% translate "Yes" %} {{ a }} no <b>it</b></p>') == ["Well", "no", "it"]
    assert of_template('{% if a == "Some b" %}{{ b|default:"A text"|date:_("j F") }}{% endif %}') == ["A text"]
    assert of_template('{% include "a.html" with title=_("A text") act="roll" button=_("Roll it") %}') == []
    assert of_template("{{ number }}&nbsp;%{% comment %}why so{% endcomment %}<svg aria-hidden='true'></svg>") == []
    assert of_template(
        '{% blocktranslate %}all <b>of</b> it{% endblocktranslate %}{{ n|pluralize }}{{ a|date:"j F" }}'
    ) == ["pluralize", 'date:"j F"']


def test_no_filter_of_a_template_says_a_word_that_nobody_marked() -> None:
    """`default:"nobody"` is text, too; what stands in an attribute, or is compared, is a code."""
    found = {
        said: path.name
        for path in PROJECT.glob("templates/**/*.html")
        for said in WORDS_OF_FILTERS.findall(path.read_text(encoding="utf-8"))
    }
    assert found.keys() == CODES_OF_FILTERS


def test_sentences_outside_of_gettext_are_found() -> None:
    source = '''"""Why it is so."""\nlogger.info("It is done.")\na = gettext("It is %(x)s.") % {"x": 1}\n'''
    assert of_python(source) == []
    assert of_python(source + 'raise Refused(f"It has {a} of them.")') == ["It has", "of them."]
    assert of_python(source + 'told = "<a>You posted this</a> {}."') == ["<a>You posted this</a> {}."]
    assert of_python(source + 'told = f"{first} of {second}"; left, _, right = told.partition(" of ")') == ["of"]


def test_templates_of_the_rules_are_gathered_whatever_puts_them_together() -> None:
    reasons = templates(PROJECT / "wargame/rules/core/reasons.py")
    assert "{army} might cross {square}, the square of {there}; after the lock, that is not allowed." in reasons
    assert templates(PROJECT / "wargame/rules/core/board.py") == []
    source = 'class Why(Phrases):\n    A = "it has {n:count day}"\nclass B(Fault):\n    C = "1.2", "{army} is {at}."\n'
    assert of_python(source + '    def b(self):\n        return "It has none."\n') == ["It has none."]


def test_phrases_are_told_in_the_readers_language_and_read_back_from_stored_english() -> None:
    for words, stored in (
        (WhyNotSpawned, "there were 3 raiders on the map"),
        (Course, "1 equally empty square in reach"),
    ):
        with translation.override("de"):
            told = phrase_in(words, stored)
            assert phrase_from_json(words, phrase_to_json(told)) == told
            german = told.text
        assert told.code.name != "AS_WRITTEN"
        assert german != stored
        assert told.text == stored


def test_names_and_numbers_are_put_together_as_the_reader_writes_them() -> None:
    held = Finding(MusterFault.TOO_MANY, {"tier": 1, "slot": 1, "most": 5000, "number": 12_345, "over": 7345})
    assert "12,345" in held.sentence
    with translation.override("de"):
        assert "12.345" in held.sentence
        assert (listed(["A", "B", "C"]), grouped(12_345)) == ("A, B und C", "12.345")
    assert (listed(["A", "B", "C"]), grouped(12_345)) == ("A, B and C", "12,345")


@pytest.mark.django_db
def test_with_one_language_no_answer_varies_and_no_wish_is_heard(client: Client, settings: Settings) -> None:
    settings.LANGUAGES = BOTH[:1]
    answer = client.get("/nowhere/", headers={"accept-language": "de"})
    assert "There's nothing here" in answer.content.decode()
    assert '<html lang="en-GB">' in answer.content.decode()
    assert "Accept-Language" not in answer.headers.get("Vary", "")
    assert 'name="language"' not in answer.content.decode()


@pytest.mark.parametrize("code", ["en-gb", "de"])
def test_a_sentence_is_looked_up_once_in_the_catalogues_of_its_readers_language(
    code: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get("/livez", headers={"Accept-Language": code})
    asked = list[object]()

    def get(catalogue: TranslationCatalog, key: object, default: object = None) -> object:
        asked.append((id(catalogue), key))
        return default

    monkeypatch.setattr(TranslationCatalog, "get", get)
    sentence = f"In {code} nobody says this."
    with translation.override(code):
        assert {gettext(sentence) for _ in range(3)} == {sentence}
    assert len(set(asked)) == len(asked) > 0


@pytest.mark.usefixtures("both")
def test_a_page_is_in_the_language_that_its_reader_asks_for(game: Game) -> None:
    german = Client(headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"}).get(game.url("movement"))
    english = Client(headers={"accept-language": "fr, en-US"}).get(game.url("movement"))

    told = german.content.decode()
    assert '<html lang="de">' in told
    assert "Alle Zeiten sind in UTC." in told
    assert "All times are UTC." in english.content.decode()
    assert {"Accept-Language", "Cookie"} <= {name.strip() for name in german["Vary"].split(",")}
    assert (german["Content-Language"], english["Content-Language"]) == ("de", "en-GB")
    assert translation.get_language() == "en-gb", "what comes after a request speaks the first language again"


@pytest.mark.usefixtures("both")
@pytest.mark.usefixtures("both")
def test_the_tables_of_the_desk_and_their_columns_are_in_the_language_of_the_judge(game: Game) -> None:
    """Their names are the models', which say them in English alone."""
    judge = game.client("battle", headers={"accept-language": "de"})
    desk = judge.get("/judge/").content.decode()
    assert [title for title in ("Armeen", "Einsprüche", "Protokoll", "Runden", "Tische") if title not in desk] == []
    assert ">7 Tage</td>" in judge.get("/judge/wargame/round/").content.decode()
    turn = judge.get(f"/judge/wargame/turn/{game.world.turn.pk}/change/").content.decode()
    assert 'Start</a>\n&rsaquo; <a href="/judge/wargame/">das Spiel</a>' in turn
    assert "Trial, Zug 1" in turn
    page = judge.get("/judge/wargame/army/").content.decode()
    assert "<h1>Armeen</h1>" in page
    assert "Gefallen in Zug" in page


def test_a_round_asks_of_a_score_what_is_usual_in_the_language_of_who_begins_it(game: Game) -> None:
    """R54: each of its judges may change that."""
    assert default_criteria() == DEFAULT_CRITERIA
    with translation.override("de"):
        assert default_criteria().splitlines()[0] == "Plan gegen diesen Gegner"


def test_a_table_is_recomputed_once_for_all_and_told_to_each_in_his_language() -> None:
    """T8.5."""
    check = Check(kept.words("The seed matches its commitment."), kept.words("The seed doesn't match its commitment."))
    assert (check.what, check.is_same) == ("The seed matches its commitment.", False)
    with translation.override("de"):
        assert (check.what, check.wrong) == ("Die Saat ist die, die festgelegt war.", "Die Saat ist eine andere.")


def test_a_button_of_the_footer_chooses_and_the_browser_keeps_it(game: Game) -> None:
    reader = Client(headers={"accept-language": "en"})
    page = game.url("movement")
    assert 'name="language" value="de"' in reader.get(page).content.decode()

    answer = reader.post("/language/", {"language": "de", "next": page})

    assert answer["Location"] == page
    assert "Alle Zeiten sind in UTC." in reader.get(page).content.decode()
    reader.post("/language/", {"language": "tlh", "next": "https://elsewhere.example/"})
    assert "Alle Zeiten sind in UTC." in reader.get(page).content.decode()
    assert reader.get("/language/").status_code == 405


@pytest.mark.usefixtures("both")
def test_what_is_kept_of_a_page_is_kept_for_each_language(game: Game) -> None:
    for wish, tag in (("de", "de"), ("en", "en-GB"), ("de", "de")):
        for name in ("map", "movement"):
            assert (
                f'<html lang="{tag}">' in game.client().get(game.url(name), HTTP_ACCEPT_LANGUAGE=wish).content.decode()
            )
    for wish in ("de", "en"):
        answer = game.client().get(game.url("map-fragment"), HTTP_ACCEPT_LANGUAGE=wish)
        assert "Accept-Language" in answer["Vary"]


@pytest.mark.usefixtures("both")
def test_what_a_turn_brought_is_kept_for_each_language(game: Game) -> None:
    game.world.post("Ana", "3D > 3E")
    game.world.settle()
    game.clock.move_to(LOCK + HOUR)
    for wish, words in (("de", "Ana zieht von 3D nach 3E."), ("en", "Ana moved from 3D to 3E.")):
        assert words in game.client("Ana").get(game.url("mine"), HTTP_ACCEPT_LANGUAGE=wish).content.decode()


def test_what_is_wrong_with_a_formula_book_is_kept_for_each_language() -> None:
    """R37."""
    texts = {**DEFAULT.to_json(), "most_lost": "12345"}
    with translation.override("de"):
        assert "12.345" in faults_of(texts)[0].sentence
    assert "12,345" in faults_of(texts)[0].sentence


@pytest.mark.usefixtures("both")
def test_another_language_asks_the_database_nothing_more(
    game: Game, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = game.client("Ana")
    for wish in ("en", "de"):
        client.get(game.url("movement"), HTTP_ACCEPT_LANGUAGE=wish)
        with django_assert_max_num_queries(20):
            client.get(game.url("movement"), HTTP_ACCEPT_LANGUAGE=wish)


@pytest.mark.usefixtures("both")
def test_scripts_get_the_sentences_of_the_pages_language(game: Game) -> None:
    page = game.client().get(game.url("map"), HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert '<script src="/words/de.js" defer></script>' in page
    assert "/words/" not in game.client().get(game.url("map"), HTTP_ACCEPT_LANGUAGE="en").content.decode()
    words = game.client().get("/words/de.js")
    assert words["Content-Type"].startswith("text/javascript")
    assert "Der Server antwortet wieder." in words.content.decode()
    assert game.client().get("/words/tlh.js").status_code == 404


@pytest.mark.usefixtures("both")
def test_an_account_keeps_the_language_that_its_owner_is_written_to(game: Game) -> None:
    ana = game.client("Ana")
    user = game.world.players["Ana"].user
    with speaking_to(user.pk):
        assert translation.get_language() == "en-gb", "who chose none has the site's first"
    ana.post("/language/", {"language": "de", "next": "/"})
    with speaking_to(user.pk):
        assert gettext("All times are UTC.") == "Alle Zeiten sind in UTC."
    ana.post("/language/", {"language": "tlh", "next": "/"})
    assert language_of(user.pk) == "de"

    request = RequestFactory().get("/")
    user_logged_in.send(User, request=request, user=user)
    assert LanguageMiddleware(lambda _: HttpResponse())(request).cookies["language"].value == "de", (
        "another browser speaks it too"
    )


@pytest.mark.usefixtures("both")
def test_an_account_that_anybody_may_try_keeps_no_language(game: Game) -> None:
    user = game.world.players["Ana"].user
    user.groups.add(Group.objects.create(name=DEMO_GROUP))
    ana = Client(headers={"accept-language": "de"})
    ana.force_login(user)
    assert ana.post("/language/", {"language": "de", "next": "/"}).cookies["language"].value == "de"
    assert language_of(user.pk) == "en-gb"


@pytest.mark.usefixtures("both")
@pytest.mark.django_db
def test_whoever_signs_up_is_written_to_in_the_language_that_he_reads() -> None:
    typed = {"name": "Jürgen", "password": "ein langes Wort 31", "mail": "j@example.org"}
    assert Client(headers={"accept-language": "de"}).post("/accounts/sign-up/", typed).status_code == 302
    assert language_of(User.objects.get(username="Jürgen").pk) == "de"


@pytest.mark.parametrize("wish", ["de;q=x", "\x00", "de," * 5000, "*", "../../de", "de-" + "a" * 900])
@pytest.mark.usefixtures("both")
@pytest.mark.django_db
def test_a_strange_wish_is_no_error(wish: str) -> None:
    assert Client().get("/nowhere/", HTTP_ACCEPT_LANGUAGE=wish).status_code == 404
    browser = Client()
    browser.cookies["language"] = wish.replace(",", "").replace("\x00", "")
    assert browser.get("/nowhere/").status_code == 404


@pytest.mark.usefixtures("both")
def test_the_account_page_and_its_refusals_are_in_the_readers_language(game: Game) -> None:
    user = game.world.players["Ana"].user
    user.set_password(PASSWORD)
    user.save()
    client = game.client("Ana")
    page = client.get("/accounts/", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Niemand sonst sieht diese Seite." in page
    assert "als Spieler schreiben, abstimmen und absenden" in page
    refused = client.post("/accounts/tokens/", {"token_name": "x", "password": PASSWORD}, HTTP_ACCEPT_LANGUAGE="de")
    assert refused.status_code == 422
    assert "Wähle, was der Zugangsschlüssel darf." in refused.content.decode()


@pytest.mark.usefixtures("both")
def test_what_the_api_refuses_before_it_looks_is_in_the_programs_language(game: Game) -> None:
    posts = reverse("api-posts", args=[game.world.round.slug, 1])
    ana = game.client("Ana", enforce_csrf_checks=True, headers={"accept-language": "de"})
    assert "(CSRF)" in (told := ana.post(posts, "{}", content_type="application/json").json()["detail"])
    assert told.startswith("Das kam ohne das Wort")
    ana = game.client("Ana", headers={"accept-language": "de"})
    for body, detail in (
        ("{", "Das ist in Zeile 1 kein JSON."),
        ('{"a": NaN}', "Wir konnten das nicht als JSON lesen"),
    ):
        assert ana.post(posts, body, content_type="application/json").json()["detail"].startswith(detail)
    assert "ist kein Feld" in str(ana.get(reverse("api-armies", args=[game.world.round.slug]), {"at": "here"}).json())


def test_days_and_lengths_of_time_are_written_as_the_language_does() -> None:
    moment = datetime(2026, 3, 2, 9, 5, tzinfo=UTC)
    assert ">Mon 2 Mar 2026, 09:05 UTC<" in utc(moment)
    assert in_words(90_061) == "in 1 day 1 hour"
    with translation.override("de"):
        assert ">Mo, 2. Mär 2026, 09:05 UTC<" in utc(moment)
        assert in_words(90_061) == "noch 1 Tag 1 Stunde"
        assert in_words(2 * 86_400) == "noch 2 Tage"


@pytest.mark.usefixtures("both")
def test_the_front_door_greets_in_the_readers_language(game: Game) -> None:
    for wish, words in (("de", "Ein Krieg, den du schreibst"), ("en", "A war you write")):
        assert words in game.client().get("/", HTTP_ACCEPT_LANGUAGE=wish).content.decode()
    lessons = game.client().get("/how-to-play/", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "<code>Sai Rei: 3D &gt; 5D; engage Gaz</code>" in lessons, "order words stay the rulebook's"


@pytest.mark.usefixtures("both")
def test_an_order_in_german_words_is_offered_in_those_of_the_rulebook(game: Game) -> None:
    client = game.client("Ana")
    thread = client.get(game.url("movement"), HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "angreifen = <code>engage</code>" in thread
    preview = game.url("post-preview")
    answer = client.post(preview, {"text": "Ana: abfangen Gaz"}, HTTP_HX_REQUEST="true", HTTP_ACCEPT_LANGUAGE="de")
    assert 'data-name="Ana: intercept Gaz"' in answer.content.decode()
    english = game.client("Ana").get(game.url("movement"), HTTP_ACCEPT_LANGUAGE="en").content.decode()
    assert "<code>engage</code>, " not in english, "English is what the rulebook writes"
