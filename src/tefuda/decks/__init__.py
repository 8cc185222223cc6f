"""Card faces: every card of every game drawn from data, on the screen as SVG and on paper as PDF.

``data`` reads a deck's file (what its cards are called, how they are composed); ``shapes`` is what everything is drawn
with; ``signs`` is the library of drawings, ``painters`` compose them into faces, ``faces`` adds the layers for learners
and for any kind of sight. ``sprite`` and ``contact`` are for the screen, ``print`` is for paper.
"""
