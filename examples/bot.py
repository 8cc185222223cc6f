"""A bot of ten lines: it plays over the network. First ``tefuda serve``, then ``python examples/bot.py``."""

import random
import sys

from tefuda.client import Client

url = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000"
seat = Client(url).open("sap-ng-wu", name="Ten lines", bots=["hints", "hints"], options={"session_deals": 2})
for moment in seat:
    seat.play(random.choice(moment.choices))
print(seat.record())
