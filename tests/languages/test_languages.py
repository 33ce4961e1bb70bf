"""In another language a page says the same: what is marked is translated, what is done stays marked, and who reads
chooses."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries, Settings

from judging.templatetags.wargame_tags import in_words, utc
from scripts.messages import CATALOGUES, compiled, gathered, in_step, is_whole, read, written
from tests.languages.untranslated import DONE, EXCUSED, PROJECT, files, of_file, of_python, of_template
from tests.pages.playing import Game, game

__all__ = ["game"]

CATALOGUE_FILES = sorted(CATALOGUES.glob("*/LC_MESSAGES/django.po"))
FIELD = re.compile(r"%\((\w+)\)[sd]|%%|%")
BOTH = [("en-gb", "English"), ("de", "Deutsch")]


@pytest.fixture
def both(settings: Settings) -> None:
    settings.LANGUAGES = BOTH


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_a_room_that_is_done_has_no_sentence_that_nobody_marked(path: Path) -> None:
    assert of_file(path) == []


def test_every_place_of_the_list_is_there() -> None:
    assert [pattern for pattern in DONE if not files((pattern,))] == []
    assert all(reason for reason in EXCUSED.values())


@pytest.mark.parametrize("path", CATALOGUE_FILES, ids=lambda path: path.parts[-3])
def test_a_catalogue_has_every_sentence_that_is_marked_and_no_other(path: Path) -> None:
    known = read(path)
    assert written(in_step(known, gathered())).decode() == path.read_text(encoding="utf-8"), "run `make messages`"
    assert path.with_suffix(".mo").read_bytes() == compiled(known), "run `make messages`"


@pytest.mark.parametrize("path", CATALOGUE_FILES, ids=lambda path: path.parts[-3])
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
    ids = [message.id for message in gathered() if isinstance(message.id, str) and message.id and not message.context]
    with translation.override("en-gb"):
        assert [text for text in ids if translation.gettext(text) != text] == []


def test_text_outside_of_the_tags_is_found() -> None:
    assert of_template('<p title="Well">{% translate "Yes" %} {{ a }} no <b>it</b></p>') == ["Well", "no", "it"]
    assert of_template('{% if a == "Some b" %}{{ b|default:"A text"|date:_("j F") }}{% endif %}') == ["A text"]
    assert of_template("{{ number }}&nbsp;%{% comment %}why so{% endcomment %}<svg aria-hidden='true'></svg>") == []
    assert of_template(
        '{% blocktranslate %}all <b>of</b> it{% endblocktranslate %}{{ n|pluralize }}{{ a|date:"j F" }}'
    ) == ["pluralize", 'date:"j F"']


def test_sentences_outside_of_gettext_are_found() -> None:
    source = '''"""Why it is so."""\nlogger.info("It is done.")\na = gettext("It is %(x)s.") % {"x": 1}\n'''
    assert of_python(source) == []
    assert of_python(source + 'raise Refused(f"It has {a} of them.")') == ["It has", "of them."]


@pytest.mark.django_db
def test_with_one_language_no_answer_varies_and_no_wish_is_heard(client: Client) -> None:
    answer = client.get("/nowhere/", headers={"accept-language": "de"})
    assert "Nothing is here" in answer.content.decode()
    assert '<html lang="en-GB">' in answer.content.decode()
    assert "Accept-Language" not in answer.headers.get("Vary", "")
    assert 'name="language"' not in answer.content.decode()


@pytest.mark.usefixtures("both")
def test_a_page_is_in_the_language_that_its_reader_asks_for(game: Game) -> None:
    german = Client(headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"}).get(game.url("movement"))
    english = Client(headers={"accept-language": "fr, en-US"}).get(game.url("movement"))

    told = german.content.decode()
    assert '<html lang="de">' in told
    assert "Alle Zeiten sind UTC." in told
    assert "All times are UTC." in english.content.decode()
    assert {"Accept-Language", "Cookie"} <= {name.strip() for name in german["Vary"].split(",")}
    assert (german["Content-Language"], english["Content-Language"]) == ("de", "en-GB")
    assert translation.get_language() == "en-gb", "what comes after a request speaks the first language again"


@pytest.mark.usefixtures("both")
def test_a_button_of_the_footer_chooses_and_the_browser_keeps_it(game: Game) -> None:
    reader = Client(headers={"accept-language": "en"})
    page = game.url("movement")
    assert 'name="language" value="de"' in reader.get(page).content.decode()

    answer = reader.post("/language/", {"language": "de", "next": page})

    assert answer["Location"] == page
    assert "Alle Zeiten sind UTC." in reader.get(page).content.decode()
    reader.post("/language/", {"language": "tlh", "next": "https://elsewhere.example/"})
    assert "Alle Zeiten sind UTC." in reader.get(page).content.decode()
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
def test_another_language_asks_the_database_nothing_more(
    game: Game, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = game.client("Ana")
    for wish in ("en", "de"):
        client.get(game.url("movement"), HTTP_ACCEPT_LANGUAGE=wish)
        with django_assert_max_num_queries(20):
            client.get(game.url("movement"), HTTP_ACCEPT_LANGUAGE=wish)


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
    client = game.client("Ana")
    page = client.get("/accounts/", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Niemand sonst sieht diese Seite." in page
    assert "als Spieler schreiben, abstimmen und absenden" in page
    refused = client.post("/accounts/tokens/", {"token_name": "x"}, HTTP_ACCEPT_LANGUAGE="de")
    assert refused.status_code == 422
    assert "Wähle, was der Zugangsschlüssel darf." in refused.content.decode()


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
    for wish, words in (("de", "Ein Krieg, der geschrieben wird"), ("en", "A war that is written")):
        assert words in game.client().get("/", HTTP_ACCEPT_LANGUAGE=wish).content.decode()
    lessons = game.client().get("/how-to-play/", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "<code>Sai Rei: 3D &gt; 5D; engage Gaz</code>" in lessons, "order words stay the rulebook's"
