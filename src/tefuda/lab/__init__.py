"""The laboratory: duplicate matches, experiments with their reports, and how fast this machine plays.

Five packages, each of which imports only those after it:

- ``report``: findings of a run, its answer in sentences, pictures and pages
- ``run``: blocks of deals on many cores or on a cluster, and the folder that keeps them
- ``measure``: tables of what was played, the figures made from them, intervals, examined decisions
- ``experiment``: what an experiment is, and how its file is read
- ``play``: deals played by bots, matches

Below them stand ``benchmark`` (``tefuda bench``), ``estimates`` (means with intervals) and ``requirements``.

To follow one experiment from its file to its report, read these in order:

1. ``experiment/reader.py``: ``read`` makes an ``Experiment`` of the file
2. ``run/run.py``: ``Run.play`` divides the deals into blocks, keeps them, and joins them into the results
3. ``run/worker.py``: ``Worker.play`` plays a block in every arm
4. ``play/player.py``: ``DealPlayer.play`` plays deals, compiled where it can
5. ``measure/tables.py``: ``deal_rows`` makes a table of them
6. ``report/findings.py``: ``find`` computes every number of the report
7. ``report/answers.py``: ``answer_sentences`` says what they answer
8. ``report/page.py``: ``write`` writes the pages

``measure/decisions.py`` joins in at 5 where an experiment examines single decisions, and ``measure/figures.py`` defines
the figures that 6 computes. ``tefuda match`` needs no more than ``play/match.py``. docs/lab.md is for users.
"""
