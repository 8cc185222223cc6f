"""The score sheet: a line for every deal, two halves for every player."""

from tefuda.decks.print.canvas import Canvas
from tefuda.decks.print.job import MARGIN, Job
from tefuda.decks.shapes import drawing, line

DEALS = 24
FIRST = 13.0
"""Width of the column with the deals' numbers, in millimetres."""


def score_page(canvas: Canvas, job: Job) -> None:
    """One page."""
    canvas.text(MARGIN, MARGIN + 6.0, f"{job.rules.title} · {job.word('scores')}", "strong", 6.0)
    canvas.text(MARGIN, MARGIN + 11.5, job.word("each"), "text", 3.0, 0.25)
    players, right = max(job.game.seats), job.width - MARGIN
    top = MARGIN + 16.0
    down = (job.height - top - MARGIN) / (DEALS + 1.4)
    across = (right - MARGIN - FIRST) / players
    head = top + 1.4 * down
    bottom = head + DEALS * down
    table = [line((MARGIN, y), (right, y), width=0.5) for y in (top, head)]
    for number in range(1, DEALS + 1):
        y = head + number * down
        table.append(line((MARGIN, y), (right, y), width=0.4 if number % 4 == 0 else 0.15))
        canvas.text(MARGIN + 3.0, y - down * 0.32, str(number), "text", 3.0, 0.25)
    for player in range(players):
        x = MARGIN + FIRST + player * across
        table.append(line((x, top), (x, bottom), width=0.35))
        table.append(line((x + across / 2, head), (x + across / 2, bottom), ink="#999999", width=0.12))
        canvas.text(x + 1.2, top + 3.4, f"{job.word('player')} {player + 1}", "text", 2.4, 0.4)
    canvas.text(MARGIN + 1.0, head - 2.0, job.word("deal"), "text", 3.0, 0.25)
    canvas.draw(drawing(*table))
