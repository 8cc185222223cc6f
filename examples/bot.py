"""A bot of ten lines: it plays over the network. First ``tefuda serve``, then ``python examples/bot.py``."""

import random
import sys

from tefuda.client import Client

url = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000"
seat = Client(url).open("gong-zhu", name="Ten lines", bots=["hints"] * 3, options={"target": 100})
for moment in seat:
    seat.play(random.choice(moment.choices))
print(seat.record())
