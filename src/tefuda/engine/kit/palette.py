"""Colours that people with any kind of colour vision can tell apart (Okabe and Ito), as ``#rrggbb``.

A colour is never the only sign of anything.
"""

ORANGE = "#e69f00"
SKY_BLUE = "#56b4e9"
BLUISH_GREEN = "#00c08b"
REDDISH_PURPLE = "#cc79a7"

ON_PAPER = {"orange": "#b35900", "blue": "#0072b2", "green": "#00805f"}
"""Darker shades of them, which are read on paper, by the names that the data files of decks use."""
