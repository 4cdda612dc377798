from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.config.rights.rights_scene import Scene, make


@pytest.fixture(scope="module")
def scene(module_rows: Callable[[], AbstractContextManager[None]]) -> Scene:
    with module_rows():
        return make()
