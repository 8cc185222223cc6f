"""Colours of reports: told apart on light and dark paper, also by those who see no red or no green."""

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("matplotlib", reason="the laboratory is left out: uv sync --extra lab")

from tefuda.lab.report.plots import ARMS, ARMS_DARK, DARK, LIGHT

SEES = {
    "all colours": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
}
"""What eyes make of linear light: Machado, Oliveira and Fernandes, IEEE Transactions on Visualization 15, 2009."""

TO_XYZ = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])


def linear(colour: str) -> NDArray[np.float64]:
    values = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    xyz = TO_XYZ @ np.clip(light, 0, 1) / np.array([0.9505, 1, 1.0888])
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: str, other: str) -> float:
    dark, light = sorted(float(TO_XYZ[1] @ linear(each)) for each in (one, other))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("eyes", SEES)
@pytest.mark.parametrize("arms", [ARMS, ARMS_DARK], ids=["light", "dark"])
def test_any_two_arms_are_told_apart(arms: tuple[str, ...], eyes: str) -> None:
    seen = [lab(SEES[eyes] @ linear(each)) for each in arms]
    apart = [float(np.linalg.norm(one - other)) for k, one in enumerate(seen) for other in seen[:k]]
    assert min(apart) > 15


@pytest.mark.parametrize(("arms", "paper"), [(ARMS, LIGHT["paper"]), (ARMS_DARK, DARK["paper"])], ids=["light", "dark"])
def test_every_arm_stands_out_from_its_paper(arms: tuple[str, ...], paper: str) -> None:
    assert all(contrast(each, paper) >= 3 for each in arms)
