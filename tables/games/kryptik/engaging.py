"""G: Engage: causes of engaging a citizen: attacking, blocking, an effect, a cost."""

from tables.core.events import Event
from tables.core.play import Play
from tables.core.reacting import replacing
from tables.core.state import Thing


def engage(play: Play, thing: Thing, cites: tuple[str, ...]) -> Thing:
    """4.4.2, 4.4.3, G: Engage: it is engaged, by attacking, by blocking, by an effect or to pay."""
    if replacing.of_thing(play, "engaged", thing):
        return thing
    engaged = play.change(thing.key, engaged=True)
    play.emit(Event("engaged", (*cites, "G: Engage"), thing.controller, engaged))
    return engaged
