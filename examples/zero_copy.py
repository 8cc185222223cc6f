"""The arrays of many tables as PyTorch tensors and JAX arrays, without a copy (DLPack).

    uv run --with torch --with jax python examples/zero_copy.py

The arrays of an environment stay where they are from step to step. So a tensor that shares their memory is made once,
and always shows the present; what is to be kept is copied (``clone``).
"""

import sys

import numpy as np

try:
    import jax
    import torch
except ModuleNotFoundError as error:
    sys.exit(f"{error.name} is not installed: uv run --with torch --with jax …")

from tefuda.research.vector import VectorEnv


def main() -> None:
    """Show that the memory is the same before and after a step."""
    env = VectorEnv("gong-zhu", tables=256)
    batch = env.reset(seed=1)
    tensor, mask = torch.from_dlpack(batch.observations), torch.from_dlpack(batch.masks)
    rewards = torch.from_dlpack(batch.rewards)
    assert tensor.data_ptr() == batch.observations.ctypes.data, "PyTorch has copied the observations"
    assert mask.data_ptr() == batch.masks.ctypes.data, "PyTorch has copied the masks"
    assert rewards.data_ptr() == batch.rewards.ctypes.data, "PyTorch has copied the rewards"

    kept = tensor.clone()
    batch = env.step(torch.multinomial(mask.float(), 1).squeeze(1))  # actions may be a tensor
    assert not torch.equal(tensor, kept)
    assert np.array_equal(tensor.numpy(), batch.observations)
    print(f"PyTorch: {tuple(tensor.shape)} {tensor.dtype}, the environment's own memory")

    array = jax.dlpack.from_dlpack(batch.observations, copy=False)  # an error if it had to be copied
    assert array.unsafe_buffer_pointer() == batch.observations.ctypes.data, "JAX has copied the observations"
    paid = jax.dlpack.from_dlpack(batch.rewards, copy=False)
    assert paid.unsafe_buffer_pointer() == batch.rewards.ctypes.data, "JAX has copied the rewards"
    print(f"JAX: {array.shape} {array.dtype}, the environment's own memory; JAX takes it for constant: use it at once")


if __name__ == "__main__":
    main()
