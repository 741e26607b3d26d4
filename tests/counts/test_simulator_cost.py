"""What a simulated block costs the host, in instructions: counted, so it holds on every x86-64.

The goals are 80 million blocks a second in total and the rover's 10 s in a second of processor time. At
two instructions a nanosecond, a modest rate, they are 25 a block and 2,000 million.
"""

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import long_form, one_in


@pytest.fixture(scope="session")
def speed(experiment: Callable[[str], ModuleType]) -> ModuleType:
    return experiment("speed")


@one_in(2)
@pytest.mark.parametrize(("folder", "cores", "most"), [("busy-one", 1, 15), ("busy-four", 4, 22)])
def test_a_block_is_cheap(speed: ModuleType, folder: str, cores: int, most: float) -> None:
    busy = speed.program(speed.HERE / folder, cores)
    assert speed.per_block(busy) <= most


@long_form
def test_the_rover_is_cheap(speed: ModuleType) -> None:
    rover = speed.program(speed.ROOT / "examples" / "rover", 1)
    instructions, blocks = speed.counted(rover, speed.SECOND)
    assert blocks > 2_000_000  # it did drive
    assert instructions <= 200_000_000
