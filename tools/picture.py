"""Draws docs/play.svg, the README's picture of the terminal: one moment of a seeded deal as the terminal shows it.

uv run python -m tools.picture"""

import re
from pathlib import Path

from rich.console import Console

from tefuda import Session, load
from tefuda.bots.players import HintsBot, choose_play
from tefuda.cli.draw import Artist
from tefuda.engine.texts import TEXTS, catalogue

SEED, DECISIONS, YOU = 94, 5, 0


def main() -> None:
    """Play to the player's n-th card, show the table, a refused card with its reason, and the hint."""
    session = Session(load("gong-zhu"), SEED)
    deal, bot = session.next_deal(), HintsBot()
    words = catalogue(TEXTS, "en")
    names = [words("you"), *(words("bot", number=seat) for seat in range(1, 4))]
    console = Console(record=True, width=92, highlight=False, force_terminal=True)
    artist = Artist(session.game.description, "en", names, console)
    cards = 0
    while cards < DECISIONS or deal.mover != YOU or len(deal.legal()) == len(deal.view(YOU).to_dict()["hands"]):
        cards += deal.mover == YOU and deal.legal()[0][0].isupper()
        choose_play(bot, deal, SEED)
    scene = deal.view(YOU).scene
    console.print(artist.table(scene, YOU, deal.mover, words("play.trick", number=scene.number, tricks=scene.tricks)))
    console.print(artist.hand(scene, set(deal.legal())))
    held = [card for group in scene.hand for card in group.cards]
    refused = next(card for card in held if card not in deal.legal())
    console.print(f"[bold]{words('play.your_turn')}[/bold] › {refused}")
    artist.say(str(deal.why_not(refused, names=names)), "yellow")
    console.print(f"[bold]{words('play.your_turn')}[/bold] › ")
    drawing = console.export_svg(title="tefuda play gong-zhu")
    # Rich names a font on the network; any monospaced font that the reader has will do.
    drawing = re.sub(r"@font-face \{.*?\}", "", drawing, flags=re.DOTALL)
    (Path(__file__).parents[1] / "docs" / "play.svg").write_text(drawing, "utf-8")


if __name__ == "__main__":
    main()
