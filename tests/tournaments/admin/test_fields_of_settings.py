"""A setting is declared once; what it leaves out is left out of its field and its schema, too."""

import pytest
from django.forms import ValidationError

from core.values import Faults, schema
from tournaments.admin.forms import field_for
from tournaments.stream.reading import HOUR, Setting


@pytest.mark.parametrize("unit", [1, HOUR])
def test_a_setting_with_a_least_and_no_most_can_be_read_published_and_typed(unit):
    setting = Setting(name="patience", default=None, least=2 * unit, unit=unit, help="How long.")
    faults = Faults()
    assert setting.take({"patience": 10**9}, faults) == 10**9
    setting.take({"patience": unit}, faults)
    assert faults == {"patience": f"Must be a whole number, at least {2 * unit}."}
    assert schema(setting) == {"type": "integer", "minimum": 2 * unit, "description": "How long."}
    assert field_for(setting).clean("99999") == 99999
    with pytest.raises(ValidationError):
        field_for(setting).clean("1")
