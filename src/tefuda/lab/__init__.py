"""The laboratory: duplicate matches, ladders, datasets, experiments with their reports, and the speed of this machine.

To follow one experiment from its file to its report, read these in order; each imports only those before it:

1. ``play/runner.py``: ``DealRunner`` plays deals, compiled where it can (``play/python_game.py`` where it cannot)
2. ``experiment/reader.py``: ``read`` makes an ``Experiment`` of the file
3. ``measure/rows.py``: ``deal_rows`` makes a table of what was played, ``measure/figures.py`` figures of the table
4. ``worker.py``: ``Worker.play`` plays a block of deals in every arm
5. ``runs.py``: ``Run.play`` divides the deals into blocks, keeps them, and joins them
6. ``report/findings.py``: ``find`` computes every number of the report
7. ``report/sentences.py``: ``summary`` says what they answer
8. ``report/page.py``: ``write`` writes the pages

``measure/decisions.py`` joins in at 3 where an experiment examines single decisions. Matches (``play/match.py``),
ladders (``play/ladder.py``) and datasets (``dataset.py``) are jobs as experiments are: ``jobs.py`` plays their pieces
here, in other processes, or on a cluster (``ray_cluster.py``). docs/lab.md is for users.
"""
