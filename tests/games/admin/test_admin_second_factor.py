"""AC1: the operator can demand a second factor of organisers, too."""

import pytest
from allauth.mfa.models import Authenticator

from core.accounts.models import Player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("demanded", "opens"), [("none", 200), ("staff", 200), ("organisers", 302)])
def test_ac1_of_organisers_a_second_factor_is_demanded_where_the_setting_says_so(cast, settings, demanded, opens):
    settings.TREY_SECOND_FACTOR = demanded
    assert cast["organiser"].get("/admin/").status_code == opens
    olga = Player.objects.get(username="olga")
    Authenticator.objects.create(user=olga, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert cast["organiser"].get("/admin/").status_code == 200
