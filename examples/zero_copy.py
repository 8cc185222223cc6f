"""The arrays of many tables as PyTorch tensors and JAX arrays, without a copy (DLPack).

    uv run --with torch --with jax python examples/zero_copy.py

Every step writes into memory that nobody holds. So tensors may be kept, and JAX, which computes later than it is asked,
reads the moment that it was given. ``VectorEnv(fresh=False)`` overwrites its arrays at every step instead: there copy
(``clone``, ``jax.numpy.array``) what is read after the next step."""

import sys

import numpy as np

try:
    import jax
    import torch
except ModuleNotFoundError as error:
    sys.exit(f"{error.name} is not installed: uv run --with torch --with jax …")

from tefuda.research.vector import VectorEnv


def main() -> None:
    """Show that the memory is the environment's own, and that a step leaves it as it is."""
    env = VectorEnv("gong-zhu", tables=256)
    batch = env.reset(seed=1)
    tensor, mask = torch.from_dlpack(batch.observations), torch.from_dlpack(batch.masks)
    rewards = torch.from_dlpack(batch.rewards)
    assert tensor.data_ptr() == batch.observations.ctypes.data, "PyTorch has copied the observations"
    assert mask.data_ptr() == batch.masks.ctypes.data, "PyTorch has copied the masks"
    assert rewards.data_ptr() == batch.rewards.ctypes.data, "PyTorch has copied the rewards"

    before = tensor.clone()
    batch = env.step(torch.multinomial(mask.float(), 1).squeeze(1))  # actions may be a tensor
    assert torch.equal(tensor, before), "a tensor that is held has been overwritten"
    assert not np.array_equal(tensor.numpy(), batch.observations)
    print(f"PyTorch: {tuple(tensor.shape)} {tensor.dtype}, the environment's own memory")

    array = jax.dlpack.from_dlpack(batch.observations, copy=False)  # an error if it had to be copied
    assert array.unsafe_buffer_pointer() == batch.observations.ctypes.data, "JAX has copied the observations"
    paid = jax.dlpack.from_dlpack(batch.rewards, copy=False)
    assert paid.unsafe_buffer_pointer() == batch.rewards.ctypes.data, "JAX has copied the rewards"

    wanted = batch.observations.sum(axis=1, dtype=np.int32)
    sums = array.sum(axis=1, dtype=np.int32)  # asked for, perhaps not yet computed
    batch = env.step(batch.masks.argmax(axis=1))
    assert np.array_equal(sums, wanted), "JAX has read another moment"
    print(f"JAX: {array.shape} {array.dtype}, the environment's own memory")


if __name__ == "__main__":
    main()
