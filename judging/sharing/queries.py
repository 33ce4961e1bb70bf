"""3.1, 1.2: the parts of a round to share elsewhere: posts by the service, positions, and armies as signatures. All
of it is public and the same for everybody."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.announcements.queries import NoticeView, address_of, notice_views
from judging.armies.queries import ArmyLine, army_list
from judging.common.positions import position_of
from judging.common.texts import NO_XML, utc
from judging.sharing.converters import DIALECTS
from wargame.models import Round, Turn
from wargame.rules.core.position import Army as ArmyOnMap
from wargame.rules.core.saying import grouped
from wargame.rules.core.sides import Side
from wargame.web import languages

MOST = 50
"""The most posts on offer."""

LARGEST = 2**63 - 1


@dataclass(frozen=True)
class Shared:
    """Something to share elsewhere: its `html` is safe; `link` and `picture` are paths of this site, `size` is the
    picture's."""

    title: str
    html: str
    link: str
    picture: str
    alt: str
    at: datetime | None = None
    size: tuple[int, int] = (1200, 630)

    @property
    def picture_address(self) -> str:
        """The picture's absolute URL."""
        return whole(self.picture)

    def text(self, dialect: str) -> str:
        """All of it in one of DIALECTS: title, text and picture."""
        write = DIALECTS[dialect][1](whole("/"))
        parts = [write.title(self.title, whole(self.link)), write.of(self.html), ""]
        if self.picture:
            parts[2] = write.picture(self.picture_address, self.alt)
        return "\n\n".join(filter(None, parts)) + "\n"

    @property
    def texts(self) -> list[tuple[str, str, str]]:
        """The text in each dialect: its code, its name, and the text itself."""
        return [(code, gettext(title), self.text(code)) for code, (title, _) in DIALECTS.items()]


def whole(path: str) -> str:
    """A path of this site as an absolute URL."""
    return f"{settings.PUBLIC_URL.rstrip('/')}{path}"


def posts_of(round_: Round) -> list[NoticeView]:
    """3.1: the newest announcements, results and updates of a round."""
    return notice_views(Notice.objects.filter(turn__round=round_).order_by("-at", "-pk")[:MOST], round_.slug)


@languages.of_the_host()
def shared_post(round_: Round, key: int) -> Shared | None:
    """3.1: a post by the service; None if the round has none with that key."""
    rows = Notice.objects.filter(turn__round=round_, pk=key) if key <= LARGEST else Notice.objects.none()
    views = notice_views(rows, round_.slug)
    if not views:
        return None
    view = views[0]
    if view.battle is not None:
        picture, alt = reverse("battle-card", args=[round_.slug, view.battle]), view.title
    else:
        picture, alt = _map_of(round_, view.turn), gettext("The map when turn %(turn)s opened") % {"turn": view.turn}
    title = gettext("%(name)s, turn %(turn)s") % {"name": round_.name, "turn": view.turn}
    return Shared(title, view.html, address_of(view), picture, alt, view.at)


@languages.of_the_host()
def shared_position(turn: Turn) -> Shared:
    """1.2: the position as a turn opens, team by team."""
    round_ = turn.round
    position = position_of(turn)
    sides = [
        format_html("<h4>{}</h4><ul>{}</ul>", side.title, format_html_join("", "<li>{}</li>", ((t,) for t in lines)))
        for side in Side
        if (lines := list(_lines_of_armies(position.armies, side)))
    ]
    title = gettext("%(name)s: the position when turn %(number)s opened, %(utc)s") % {
        "name": round_.name,
        "number": turn.number,
        "utc": utc(turn.opened_at),
    }
    link = reverse("map-turn", args=[round_.slug, turn.number])
    alt = gettext("The map when turn %(number)s opened") % {"number": turn.number}
    return Shared(NO_XML.sub("", title), "".join(sides), link, _map_of(round_, turn.number), alt, turn.opened_at)


def _lines_of_armies(armies: tuple[ArmyOnMap, ...], side: Side) -> Iterator[str]:
    for army in sorted(armies, key=lambda army: army.name.casefold()):
        if army.side is side:
            alive, total = (grouped(sum(getattr(troop, name) for troop in army.troops)) for name in ("alive", "of"))
            text = gettext("%(army)s on %(at)s, %(alive)s of %(of)s troops")
            if army.captivity:
                text = gettext("%(army)s on %(at)s, %(alive)s of %(of)s troops, held captive")
            yield NO_XML.sub("", text % {"army": army.name, "at": army.at, "alive": alive, "of": total})


def _map_of(round_: Round, number: int) -> str:
    return reverse("turn-card", args=[round_.slug, number])


@languages.of_the_host()
def line_of(round_: Round, name: str, now: datetime) -> ArmyLine | None:
    """2.1: an army as everybody sees it; None if there is none with that name."""
    return next((line for line in army_list(round_, now) if line.name == name), None)


@languages.of_the_host()
def shared_army(round_: Round, line: ArmyLine) -> Shared:
    """2.1: an army as a picture for its player's signature elsewhere."""
    picture = reverse("signature", args=[round_.slug, line.name])
    link = reverse("army", args=[round_.slug, line.name])
    alt = f"{line.name}, {standing(line)}"
    return Shared(
        gettext("%(army)s in %(round)s") % {"army": line.name, "round": round_.name},
        "",
        link,
        picture,
        alt,
        size=SIGNATURE,
    )


SIGNATURE = (468, 60)
"""The size of a banner that forums accept."""


def standing(line: ArmyLine) -> str:
    """2.1: the state of an army in a few words."""
    if line.died_in is not None:
        return gettext("fell in turn %(died_in)s") % {"died_in": line.died_in}
    where = line.place or line.at
    text = gettext("%(where)s: %(alive)s of %(of)s troops")
    if line.captured:
        text = gettext("held captive on %(where)s: %(alive)s of %(of)s troops")
    return text % {"where": where, "alive": grouped(line.alive), "of": grouped(line.of)}
