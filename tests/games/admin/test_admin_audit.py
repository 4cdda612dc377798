"""What superusers change with forms is in the audit log; what an address may filter by."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client, RequestFactory
from django.urls import reverse

from core.accounts.models import Audit, Player
from games.admin.site import site

pytestmark = pytest.mark.django_db
LISTED = [model for model in site._registry if model._meta.default_permissions]


def told() -> list[tuple[str, str, str]]:
    return list(Audit.objects.order_by("id").values_list("action", "subject", "reason"))


def test_whoever_gives_rights_or_sets_a_password_is_in_the_audit_log(cast: dict[str, Client], bob: Player) -> None:
    page = f"/admin/accounts/player/{bob.pk}"
    fields = {"username": "bobby", "is_staff": "on"}
    assert cast["superuser"].post(f"{page}/edit/", fields).status_code == 302
    password = {"password1": "another quiet evening", "password2": "another quiet evening"}
    assert cast["superuser"].post(f"{page}/password/", {**password, "usable_password": "true"}).status_code == 302
    (changed, set_password) = told()
    assert changed == ("changed", f"player {bob.pk}", "Changed Username and Staff status.")
    assert set_password[:2] == ("changed", f"player {bob.pk}")
    assert "assword" in set_password[2]
    assert set(Audit.objects.values_list("by", flat=True)) == {Player.objects.get(username="susan").id}
    assert "quiet evening" not in str(told())


def test_accounts_and_groups_that_are_added_and_deleted_are_in_it_too(cast: dict[str, Client]) -> None:
    pair = {"username": "newcomer", "password1": "a quiet evening", "password2": "a quiet evening"}
    answer = cast["superuser"].post("/admin/accounts/player/add/", {**pair, "usable_password": "true"})
    assert answer.status_code == 302
    assert cast["superuser"].post("/admin/auth/group/add/", {"name": "referees"}).status_code == 302
    group = Group.objects.get()
    assert cast["superuser"].post(f"/admin/auth/group/{group.pk}/delete/", {"post": "yes"}).status_code == 302
    newcomer = Player.objects.get(username="newcomer")
    assert told() == [
        ("added", f"player {newcomer.pk}", ""),
        ("added", f"group {group.pk}", ""),
        ("deleted", f"group {group.pk}", ""),
    ]


@pytest.mark.parametrize("model", LISTED, ids=lambda model: model._meta.label_lower)
def test_no_address_of_a_list_reads_columns_letter_by_letter(cast: dict[str, Client], model: type) -> None:
    request = RequestFactory().get("/admin/")
    request.user = Player.objects.get(username="susan")
    lookups = ("startswith", "contains", "regex", "gt", "has_key", "user__password__startswith")
    allowed = [
        f"{field.name}__{lookup}"
        for field in model._meta.get_fields()
        for lookup in lookups
        if site._registry[model].lookup_allowed(f"{field.name}__{lookup}", "a", request)
    ]
    assert allowed == []


@pytest.mark.sampled
@pytest.mark.parametrize("model", LISTED, ids=lambda model: model._meta.label_lower)
@pytest.mark.parametrize("query", ["id__regex=(", "id__startswith=a", "status__exact=%00", "q=%00", "o=999", "p=-1"])
def test_an_address_that_makes_no_sense_is_no_error_of_the_server(
    cast: dict[str, Client], model: type, query: str
) -> None:
    page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    for who in ("organiser", "staff", "superuser"):
        assert cast[who].get(f"{page}?{query}").status_code < 500
