"""4.1.2.5: the weather is drawn, shared by neighbours, and changes with sense."""

import hashlib
import json

from scripts.simulation.mustering import demo_board
from wargame.rules.battle.weather import (
    Season,
    Sky,
    first_sky,
    next_sky,
    season_of,
    sky_from_json,
    sky_to_json,
    told_weather,
    weather_at,
    weather_from_json,
    weather_to_json,
)
from wargame.rules.core.board import Square, all_squares, neighbours, read_square
from wargame.rules.core.dice import turn_dice

BOARD = demo_board()
LAND = read_square("9E")


def skies(turns: int) -> list[Sky]:
    found = [first_sky(turn_dice(bytes(32), "trial", 1))]
    for turn in range(2, turns + 1):
        found.append(next_sky(found[-1], turn_dice(bytes(32), "trial", turn)))
    return found


def level(pressure: int) -> Sky:
    """The same air everywhere."""
    return tuple((pressure,) * 5 for _ in range(2))


def test_the_seasons_go_round():
    assert [season_of(turn) for turn in (1, 6, 7, 13, 19, 24, 25)] == [
        *(Season.SPRING, Season.SPRING, Season.SUMMER, Season.AUTUMN, Season.WINTER, Season.WINTER, Season.SPRING)
    ]


def test_the_same_seed_gives_the_same_weather_to_the_letter():
    assert skies(5) == skies(5)
    assert sky_from_json(sky_to_json(skies(2)[1])) == skies(2)[1]


def test_tomorrow_is_like_today_more_often_than_not():
    """Last turn's air decides more than the draw does."""
    changes = [
        abs(before - after)
        for earlier, later in zip(skies(40), skies(40)[1:], strict=False)
        for rows in zip(earlier, later, strict=True)
        for before, after in zip(*rows, strict=True)
    ]
    assert sum(changes) / len(changes) < 20
    assert max(changes) < 70


def test_neighbours_share_their_air():
    sky = skies(3)[-1]
    same, pairs = 0, 0
    for square in all_squares():
        for other in neighbours(square):
            if BOARD.terrain_at(square) == BOARD.terrain_at(other):
                pairs += 1
                same += weather_at(BOARD, square, sky, 3).sky == weather_at(BOARD, other, sky, 3).sky
    assert same / pairs > 0.75


def test_low_air_is_wet_and_high_air_is_clear():
    assert weather_at(BOARD, LAND, level(95), 8).sky == "clear"
    assert weather_at(BOARD, LAND, level(5), 8).sky in ("a thunderstorm", "driving rain")


def test_it_snows_in_the_winter_of_the_north_and_never_in_summer():
    north = next(s for s in all_squares() if s.row < 3 and BOARD.terrain_at(s) not in ("ocean", "islands"))
    assert "snow" in weather_at(BOARD, north, level(35), 20).sky
    for square in all_squares():
        if BOARD.terrain_at(square) != "mountain":
            assert "snow" not in weather_at(BOARD, square, level(35), 9).sky


def test_the_wind_comes_from_the_higher_pressure():
    rising = tuple(tuple(range(10, 110, 20)) for _ in range(2))
    wind = weather_at(BOARD, Square(6, 19), rising, 1)
    assert wind.comes_from == "east"
    assert weather_at(BOARD, LAND, level(50), 1).wind == "calm"


def test_every_square_has_weather_that_can_be_told():
    for turn, sky in enumerate(skies(24), 1):
        for square in (Square(0, 1), Square(13, 38), Square(6, 20), LAND):
            found = weather_at(BOARD, square, sky, turn)
            assert found.sentence.endswith(f"It is {found.season.value}.")
            assert 0 <= found.severity <= 10
            assert weather_from_json(weather_to_json(found)) == found
            assert told_weather(weather_to_json(found))["text"] == found.sentence


def test_fair_weather_is_not_severe_and_a_blizzard_is():
    assert weather_at(BOARD, LAND, level(80), 8).severity == 0
    north = next(s for s in all_squares() if s.row < 3 and BOARD.terrain_at(s) == "mountain")
    assert weather_at(BOARD, north, level(0), 20).severity >= 7


def digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()


def test_the_weather_of_a_seed_is_what_it_always_was():
    """R38: whoever recomputes a turn of years ago gets the weather that its battles were fought in."""
    told = [
        [f"{square}: {weather.sentence} {weather.severity}", weather_to_json(weather)]
        for turn, sky in enumerate(skies(24), 1)
        for square in all_squares()
        for weather in (weather_at(BOARD, square, sky, turn),)
    ]
    assert told[0][0] == "1A: Fair, calm, cool. It is spring. 0"
    assert (
        hashlib.sha256(json.dumps([sky_to_json(sky) for sky in skies(24)]).encode()).hexdigest()
        == "21148d946543bb6c0e1db347eb2c051712e9e98f7b70780f0bf2d5afa861758c"
    )
    assert (
        hashlib.sha256(json.dumps(told).encode()).hexdigest()
        == "cb157d28c168cae4f919174930e11848d95c8b6ead124d4f3b7067f7872f6647"
    )


def test_weather_that_is_stored_is_told_with_its_sentence():
    stored = weather_to_json(weather_at(BOARD, LAND, skies(1)[0], 1))
    assert told_weather(stored) == {**stored, "text": weather_from_json(stored).sentence}
    assert told_weather({}) == {}
