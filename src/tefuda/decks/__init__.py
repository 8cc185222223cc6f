"""Card faces: every card of every game drawn from data, on the screen as SVG and on paper as PDF.

``data`` reads a deck's file: what its cards are called and how they are composed. Everything is drawn with ``shapes``,
and with the characters of ``fonts``. The drawings are SVG files that ``artwork`` reads; ``signs`` puts people together
of their parts, ``painters`` compose faces, and ``faces`` adds the layers for learners and for any kind of sight.
``sprite``, ``table`` and ``preview`` are for the screen, ``singles`` and ``print`` are for paper.
"""
