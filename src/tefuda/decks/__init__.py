"""Card faces: every card of every game drawn from data, on the screen as SVG and on paper as PDF.

``data`` reads a deck's file: what its cards are called and how they are composed. Everything is drawn with ``shapes``,
and with the characters of ``fonts`` and ``glyphs``. ``signs`` is the library of drawings, ``painters`` compose them
into faces, and ``faces`` adds the layers for learners and for any kind of sight. ``sprite``, ``picture``, ``table`` and
``contact`` are for the screen, ``print`` is for paper.
"""
