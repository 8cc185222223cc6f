"""The examples run from start to end, in a small size, and do what they say."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"

pytestmark = pytest.mark.deep


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_trained_policy_beats_random_play(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is left out: pip install torch")
    pytest.importorskip("matplotlib", reason="matplotlib is left out: pip install matplotlib")
    mean, half = load("train_sap_ng_wu").main(["--small", "--plot", str(tmp_path / "learning.png")])
    assert mean - half > 0
    assert (tmp_path / "learning.png").stat().st_size > 1000


def test_arrays_reach_other_libraries_without_being_copied() -> None:
    pytest.importorskip("torch", reason="PyTorch is left out: pip install torch")
    pytest.importorskip("jax", reason="JAX is left out: pip install jax")
    load("zero_copy").main()


@pytest.mark.parametrize("game", ["gong-zhu", "luk-fu"])
def test_an_agent_is_evaluated_through_pettingzoo(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is left out: uv sync --extra pettingzoo")
    mean, half = load("evaluate_pettingzoo").main([game, "--deals", "40"])
    assert half > 0
    assert f"{game}: {mean:+.1f} ± {half:.1f}" in capsys.readouterr().out


def test_openspiels_algorithms_run_from_start_to_end(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is left out: uv sync --extra openspiel")
    load("openspiel_algorithm").main(["--small"])
    told = capsys.readouterr().out
    assert re.search(r"^0 of [1-9]\d* sampled worlds contradict", told, re.MULTILINE), told


@pytest.mark.filterwarnings("ignore::UserWarning")  # Minari would like an environment that made the dataset
def test_a_dataset_becomes_one_of_minari(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pl = pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
    minari = pytest.importorskip("minari", reason="Minari is left out: pip install 'minari[hdf5]'")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    folder = EXAMPLES / "datasets" / "gong-zhu"
    load("minari_dataset").main([str(folder), "tefuda/gong-zhu/hints-v0"])
    first, rows = minari.load_dataset("tefuda/gong-zhu/hints-v0")[0], pl.read_parquet(folder / "decisions-*.parquet")
    rows = rows.filter(deal=0, rotation=0, seat=rows["seat"][0])
    assert first.actions.tolist() == rows["action"].to_list()
    assert first.observations["observation"].dtype == "int8"
    assert first.observations["observation"][:-1].tolist() == rows["observation"].to_list()
    assert first.observations["action_mask"][:-1].astype(bool).tolist() == rows["mask"].to_list()
    assert first.rewards.tolist() == [0.0] * (len(rows) - 1) + [pytest.approx(rows["gain"][0])]
    assert first.terminations.tolist() == [False] * (len(rows) - 1) + [True]


TRAINERS = {
    "train_ppo": ("gymnasium", "torch"),
    "train_dmc": ("torch",),
    "train_pairs": ("torch",),
    "train_mmd": ("torch",),
    "train_nfsp": ("torch",),
    "train_psro": ("torch",),
    "train_torchrl": ("gymnasium", "torchrl"),
    "train_rllib": ("gymnasium", "torch", "ray.rllib"),
    "train_agilerl": ("gymnasium", "agilerl.algorithms"),
    "train_maskable_ppo": ("gymnasium", "sb3_contrib"),
    "train_tianshou": ("pettingzoo", "tianshou"),
}
"""The examples that train with other people's libraries, and what each needs."""


# Libraries warn of parts of themselves, as soon as they are imported.
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("name", TRAINERS)
def test_a_trainer_runs_from_start_to_end(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """For a few seconds: that what it learns plays by the rules is all that such a time can show."""
    for module in TRAINERS[name]:
        pytest.importorskip(module, reason=f"{module} is left out: see the first lines of examples/{name}.py")
    load(name).main(["--game", "kakkuri", "--minutes", "0.1", "--deals", "20"])
    told = capsys.readouterr().out
    assert re.search(r"^[1-9][\d,]* decisions$", told, re.MULTILINE)
    gains = re.findall(r"^gain a deal over (?:random|hints): [+-]?\d+\.\d+ ± \d+\.\d+", told, re.MULTILINE)
    assert len(gains) == 2
