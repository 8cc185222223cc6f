"""Scenario files with a fault, of Gong Zhu, and what running them says."""

import tomllib
from pathlib import Path

from tefuda.table.scenario import ScenarioError, check_file

HEAD = 'game = "gong-zhu"\nseats = 4\n'
POSITION = '[case.position]\nhands = ["S2 H2", "S3 H3", "S4 H4", "S5 H5"]\n'
EXPECT = "[case.expect]\nto_move = 0\n"
SUITED = '["S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK SA", "H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK HA", '
SUITED += '"D2 D3 D4 D5 D6 D7 D8 D9 D10 DJ DQ DK DA", "C2 C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ CK CA"]'
PACK = " ".join(card for hand in tomllib.loads(f"hands = {SUITED}")["hands"] for card in hand.split())


def told(tmp_path: Path, text: str) -> str:
    """All that running the file says is wrong with it; empty if it passes."""
    path = tmp_path / "bad.toml"
    path.write_text(text, "utf-8")
    try:
        return "\n".join(failure for outcome in check_file(path) for failure in outcome.failures)
    except ScenarioError as error:
        return str(error).replace(str(path), "the file")


def case(*, top: str = "", begin: str = POSITION, expect: str = EXPECT) -> str:
    return f'{HEAD}[[case]]\nname = "bad"\nrules = ["GZ-1"]\n{top}\n{begin}\n{expect}'


def position(fields: str, expect: str = EXPECT) -> str:
    return case(begin=f"[case.position]\n{fields}\n", expect=expect)


def deal(fields: str, expect: str = EXPECT) -> str:
    return case(begin=f"[case.deal]\n{fields}\n", expect=expect)


def expecting(fields: str) -> str:
    return case(expect=f"[case.expect]\n{fields}\n")


HANDS = 'hands = ["S2 H2", "S3 H3", "S4 H4", "S5 H5"]\n'
