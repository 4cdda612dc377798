from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.config.rights.rights_scene import Scene, make
from tests.scenes import committed


@pytest.fixture(scope="module")
def scene(module_rows: Callable[[], AbstractContextManager[None]]) -> Scene:
    with module_rows():
        return committed("what the API is about", make)
