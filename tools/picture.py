"""Draws docs/play.svg, the README's picture of the terminal: the full-screen table at a moment of a seeded deal.

uv run python -m tools.picture"""

import asyncio
import re
from pathlib import Path

from tefuda import Session, advice, load
from tefuda.cli.full_screen.table import FullScreenTable, PlayLine
from tefuda.cli.game_in_progress import GameInProgress
from tefuda.cli.table_talk import TellingPace

SEED, TRICKS, YOU = 94, 2, 0
SIZE = (104, 28)


async def draw() -> str:
    """Play until some cards may not be played, and try one; the picture as SVG."""
    session = Session(load("gong-zhu"), SEED)
    app = FullScreenTable(GameInProgress(session, Path("unkept"), "hints", None), "en", TellingPace(0))
    async with app.run_test(size=SIZE) as pilot:
        line = app.query_one(PlayLine)

        async def answer(text: str) -> None:
            while not line.listens:
                await pilot.pause(0.01)
            line.value = text
            await pilot.press("enter")
            await pilot.pause()

        while True:
            while not line.listens:
                await pilot.pause(0.01)
            deal = session.deal
            held = [card for group in deal.view(YOU).scene.hand for card in group.cards]
            refused = [card for card in held if card not in deal.legal()]
            if refused and deal.view(YOU).scene.number > TRICKS:
                break
            await answer(advice(deal, SEED))
        await answer(refused[0])
        await pilot.pause(0.2)
        return app.export_screenshot(title="tefuda play gong-zhu")


def main() -> None:
    """Draw it."""
    drawing = asyncio.run(draw())
    # Textual names a font on the network; any monospaced font that the reader has will do.
    drawing = re.sub(r"@font-face \{.*?\}", "", drawing, flags=re.DOTALL)
    (Path(__file__).parents[1] / "docs" / "play.svg").write_text(drawing, "utf-8")


if __name__ == "__main__":
    main()
