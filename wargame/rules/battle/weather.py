"""4.1.2.5: the weather of each battle. `docs/play/weather.md` explains the computation and the reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from wargame.rules.core.board import COLUMNS, ROWS, Board, Square
from wargame.rules.core.codec import Json
from wargame.rules.core.dice import Dice
from wargame.rules.core.saying import said, said_as

Sky = tuple[tuple[int, ...], ...]
"""4.1.2.5: the pressure of the air over each region, 0 to 100, in 2 rows of 5 from the north-west."""

SkyJson = Sequence[Sequence[int]]
"""A sky in its stored form."""

REGION_ROWS, REGION_COLUMNS = 2, 5
LOWEST, MIDDLE, HIGHEST = 0, 50, 100
LARGEST_CHANGE = 24
"""The maximum change of a region's air by itself in a turn."""

TURNS_A_SEASON = 6


class Season(StrEnum):
    """4.1.2.5: a round begins in spring."""

    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"


WARMTH = {Season.SPRING: 12, Season.SUMMER: 22, Season.AUTUMN: 11, Season.WINTER: 1}
WETNESS = {Season.SPRING: 4, Season.SUMMER: -6, Season.AUTUMN: 6, Season.WINTER: 3}
HIGH_PRESSURE_WARMS = {Season.SPRING: 0, Season.SUMMER: 1, Season.AUTUMN: 0, Season.WINTER: -1}

TERRAIN_WARMTH = {"ocean": 0, "islands": 0, "plains": 0, "mountain": -8, "forest": -1, "swamp": 1}
TERRAIN_WETNESS = {"ocean": 5, "islands": 5, "plains": 0, "mountain": 6, "forest": 3, "swamp": 8}
TERRAIN_WIND = {"ocean": 5, "islands": 4, "plains": 2, "mountain": 6, "forest": -6, "swamp": -3}
SEA_WARMTH, SEA_EVENS_OUT = 13, 4
"""Over the sea it is at most this many degrees nearer to 13 than over land."""

FOGGY = ("ocean", "islands", "swamp")
TEMPERATURES = ((0, "freezing"), (6, "cold"), (13, "cool"), (19, "mild"), (26, "warm"))
WINDS = ((10, "calm"), (24, "a light wind"), (40, "a fresh wind"), (58, "a strong wind"))
SEVERE_SKIES = {"showers": 1, "light snow": 2, "fog": 3, "rain": 3, "snow": 4}
SEVERE_SKIES |= {"driving rain": 5, "a thunderstorm": 5, "a blizzard": 7}
SEVERE_WINDS = {"a strong wind": 1, "a gale": 3}
OVERCAST, SHOWERS, RAIN, STORM = -5, 10, 20, 34
"""The wetness from which the sky is overcast, and the degrees of rain."""


@dataclass(frozen=True, slots=True)
class Weather:
    """4.1.2.5: the weather posted with a battle. `comes_from` is empty where it is calm."""

    season: Season
    sky: str
    wind: str
    comes_from: str
    temperature: str

    @property
    def sentence(self) -> str:
        """In the posted form: `Rain, a fresh wind from the west, cool. It is autumn.`"""
        labels = _in_words()
        sky, wind, temperature, comes_from, season = (
            labels.get(term, term)
            for term in (self.sky, self.wind, self.temperature, self.comes_from, self.season.value)
        )
        if self.comes_from:
            wind = said("%(wind)s from the %(direction)s", wind=wind, direction=comes_from)
        return said(
            "%(sky)s, %(wind)s, %(temperature)s. It is %(season)s.",
            sky=f"{sky[:1].upper()}{sky[1:]}",
            wind=wind,
            temperature=temperature,
            season=season,
        )

    @property
    def severity(self) -> int:
        """4.1.2.5: how foul it is for battle, 0 for fair weather to 10: by sky, wind and temperature."""
        return min(
            SEVERE_SKIES.get(self.sky, 0) + SEVERE_WINDS.get(self.wind, 0) + (self.temperature == "freezing"), 10
        )


def _in_words() -> dict[str, str]:
    """The words of weather, stored in English, in the reader's language."""
    return {
        "spring": said_as("weather", "spring"),
        "summer": said_as("weather", "summer"),
        "autumn": said_as("weather", "autumn"),
        "winter": said_as("weather", "winter"),
        "clear": said_as("weather", "clear"),
        "fair": said_as("weather", "fair"),
        "overcast": said_as("weather", "overcast"),
        "fog": said_as("weather", "fog"),
        "showers": said_as("weather", "showers"),
        "light snow": said_as("weather", "light snow"),
        "rain": said_as("weather", "rain"),
        "snow": said_as("weather", "snow"),
        "driving rain": said_as("weather", "driving rain"),
        "a thunderstorm": said_as("weather", "a thunderstorm"),
        "a blizzard": said_as("weather", "a blizzard"),
        "calm": said_as("weather", "calm"),
        "a light wind": said_as("weather", "a light wind"),
        "a fresh wind": said_as("weather", "a fresh wind"),
        "a strong wind": said_as("weather", "a strong wind"),
        "a gale": said_as("weather", "a gale"),
        "freezing": said_as("weather", "freezing"),
        "cold": said_as("weather", "cold"),
        "cool": said_as("weather", "cool"),
        "mild": said_as("weather", "mild"),
        "warm": said_as("weather", "warm"),
        "hot": said_as("weather", "hot"),
        "north": said_as("weather", "north"),
        "east": said_as("weather", "east"),
        "south": said_as("weather", "south"),
        "west": said_as("weather", "west"),
        "north-east": said_as("weather", "north-east"),
        "north-west": said_as("weather", "north-west"),
        "south-east": said_as("weather", "south-east"),
        "south-west": said_as("weather", "south-west"),
    }


def season_of(turn: int) -> Season:
    """4.1.2.5: the season of a turn; the first six are spring."""
    return tuple(Season)[(turn - 1) // TURNS_A_SEASON % len(Season)]


def first_sky(dice: Dice) -> Sky:
    """4.1.2.5: the air over a round's first turn, drawn region by region and then evened out once."""
    air = tuple(
        tuple(dice.roll(f"air {row + 1}-{column + 1}", HIGHEST + 1) - 1 for column in range(REGION_COLUMNS))
        for row in range(REGION_ROWS)
    )
    return tuple(
        tuple((2 * air[row][column] + _west(air, row, column)) // 3 for column in range(REGION_COLUMNS))
        for row in range(REGION_ROWS)
    )


def next_sky(before: Sky, dice: Dice) -> Sky:
    """4.1.2.5: the air a turn later: half its own, a third its western neighbour's, since weather comes from the
    west, the rest towards the middle; and a draw."""
    return tuple(
        tuple(_later(before, row, column, dice) for column in range(REGION_COLUMNS)) for row in range(REGION_ROWS)
    )


def weather_at(board: Board, square: Square, sky: Sky, turn: int) -> Weather:
    """4.1.2.5: the weather on a square, which shares the air of the regions around it with its neighbours."""
    season, terrain = season_of(turn), board.terrain_at(square)
    pressure = _pressure(sky, square)
    degrees = _degrees(season, terrain, square, pressure)
    wet = MIDDLE - pressure + WETNESS[season] + TERRAIN_WETNESS[terrain]
    east = _pressure(sky, Square(square.row, square.column + 3)) - _pressure(sky, Square(square.row, square.column - 3))
    south = _pressure(sky, Square(square.row + 3, square.column)) - _pressure(
        sky, Square(square.row - 3, square.column)
    )
    force = abs(east) + abs(south) + TERRAIN_WIND[terrain] + (8 if wet > STORM else 0)
    wind = _word(force, WINDS, "a gale")
    calm = wind == "calm"
    return Weather(
        season=season,
        sky=_sky_word(wet, degrees, is_foggy=calm and terrain in FOGGY and degrees <= TEMPERATURES[2][0]),
        wind=wind,
        comes_from="" if calm else _direction(east, south),
        temperature=_word(degrees, TEMPERATURES, "hot"),
    )


def sky_to_json(sky: Sky) -> list[list[int]]:
    """4.1.2.5: a sky in its stored form."""
    return [list(row) for row in sky]


def sky_from_json(data: SkyJson) -> Sky:
    return tuple(tuple(row) for row in data)


def weather_to_json(weather: Weather) -> dict[str, str | int]:
    """4.1.2.5: the weather of a battle in its stored form."""
    return {
        "season": weather.season.value,
        "sky": weather.sky,
        "wind": weather.wind,
        "comes_from": weather.comes_from,
        "temperature": weather.temperature,
        "severity": weather.severity,
    }


def weather_from_json(data: Mapping[str, Any]) -> Weather:
    fields = {name: str(data[name]) for name in ("sky", "wind", "comes_from", "temperature")}
    return Weather(season=Season(data["season"]), **fields)


def told_weather(data: Mapping[str, object]) -> Json:
    """Stored weather with the posted sentence."""
    return {**data, "text": weather_from_json(data).sentence} if data else {}


def _later(before: Sky, row: int, column: int, dice: Dice) -> int:
    change = dice.roll(f"air {row + 1}-{column + 1}", 2 * LARGEST_CHANGE + 1) - LARGEST_CHANGE - 1
    drifted = (3 * before[row][column] + 2 * _west(before, row, column) + MIDDLE + 3) // 6
    return min(max(drifted + change, LOWEST), HIGHEST)


def _west(sky: Sky, row: int, column: int) -> int:
    return sky[row][max(column - 1, 0)]


def _pressure(sky: Sky, square: Square) -> int:
    """The air over a square, between the middles of the four nearest regions; off the map, the edge's."""
    row, down = _between(square.row, len(ROWS), REGION_ROWS)
    column, along = _between(square.column - 1, COLUMNS, REGION_COLUMNS)
    lower_row, next_column = min(row + 1, REGION_ROWS - 1), min(column + 1, REGION_COLUMNS - 1)
    north = sky[row][column] * (100 - along) + sky[row][next_column] * along
    south = sky[lower_row][column] * (100 - along) + sky[lower_row][next_column] * along
    return (north * (100 - down) + south * down) // 10_000


def _between(place: int, places: int, regions: int) -> tuple[int, int]:
    """The region whose middle is before a place, and the way to the next one's, in percent."""
    hundredths = (2 * min(max(place, 0), places - 1) + 1) * regions * 100 // (2 * places) - 50
    hundredths = min(max(hundredths, 0), (regions - 1) * 100)
    return hundredths // 100, hundredths % 100


def _degrees(season: Season, terrain: str, square: Square, pressure: int) -> int:
    land = WARMTH[season] + (4 * square.row - 26) // 5 + HIGH_PRESSURE_WARMS[season] * (pressure - MIDDLE) // 10
    if terrain in ("ocean", "islands"):
        return land + min(max(SEA_WARMTH - land, -SEA_EVENS_OUT), SEA_EVENS_OUT)
    return land + TERRAIN_WARMTH[terrain]


def _sky_word(wet: int, degrees: int, *, is_foggy: bool) -> str:
    snows = degrees <= 1
    if wet > STORM:
        return "a blizzard" if snows else "a thunderstorm" if degrees > TEMPERATURES[2][0] else "driving rain"
    if wet > RAIN:
        return "snow" if snows else "rain"
    if wet > SHOWERS:
        return "light snow" if snows else "showers"
    if wet > OVERCAST:
        return "fog" if is_foggy else "overcast"
    return "fair" if wet > 4 * OVERCAST else "clear"


def _direction(east: int, south: int) -> str:
    """The direction from which the wind comes: that of higher pressure."""
    if 2 * abs(south) < abs(east):
        return "east" if east > 0 else "west"
    if 2 * abs(east) < abs(south):
        return "south" if south > 0 else "north"
    return f"{'south' if south > 0 else 'north'}-{'east' if east > 0 else 'west'}"


def _word(value: int, labels: tuple[tuple[int, str], ...], most: str) -> str:
    return next((label for limit, label in labels if value <= limit), most)
