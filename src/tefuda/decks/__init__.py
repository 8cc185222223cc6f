"""Card faces: every card of every game drawn from data, on the screen as SVG and on paper as PDF.

``data`` reads a deck's file; the drawings are SVG files that ``artwork`` reads and puts people together from.
``painters`` compose faces of them with ``shapes`` and the characters of ``fonts``; ``faces`` adds the layers for
learners and for any kind of sight. ``sprite`` and ``table`` are for the screen, ``singles`` and ``print`` for paper."""
