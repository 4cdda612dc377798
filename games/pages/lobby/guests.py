"""A guest's pages: going on with another device, and keeping the account."""

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from core.accounts import services
from core.accounts.login import attempts, guests
from games.pages.lobby.page import answering, logged_in, player_of, qr, shown


class KeepForm(forms.Form):
    username = forms.CharField(
        required=False, widget=forms.TextInput(attrs={"autocomplete": "username", "readonly": ""})
    )
    password = forms.CharField(
        max_length=256,
        strip=False,
        help_text="At least 8 characters, not a common one and not like your name.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "autofocus": True}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def device(request: HttpRequest) -> HttpResponse:
    """Make a link that takes the guest to another device: once, within ten minutes."""
    if request.method != "POST":
        return shown(request, "lobby/device.html")
    guest = player_of(request)
    attempts.count_proof(guest, "links")
    secret, expires_at = guests.new_link(guest, session=request.session.session_key)
    url = request.build_absolute_uri(reverse("use-device-link", args=[secret]))
    return shown(request, "lobby/device.html", {"url": url, "qr": qr(url), "expires_at": expires_at})


@require_http_methods(["GET", "HEAD", "POST"])
@answering
def use_link(request: HttpRequest, secret: str) -> HttpResponse:
    """Open a guest's link: only the button uses it up, so that a program that looks at the page does not."""
    attempts.count(request)
    if request.method != "POST":
        return shown(request, "lobby/use_link.html", {"link": guests.link_of(secret)})
    guest = guests.use_link(secret)
    guests.log_in(request, guest)
    messages.success(request, f"You are now playing here as {guest.username}.")
    return redirect("/")


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def keep(request: HttpRequest) -> HttpResponse:
    """Keep a guest's account: by a password here, by a passkey or an address on its account pages."""
    guest = player_of(request)
    if not guest.is_guest:
        return _go_on(request, "/me/settings")
    form = KeepForm(request.POST or None, initial={"username": guest.username})
    if request.method == "POST" and form.is_valid():
        attempts.count_proof(guest, "keeps")
        try:
            validate_password(form.cleaned_data["password"], guest)
        except forms.ValidationError as error:
            form.add_error("password", error)
        else:
            services.set_password(guest, form.cleaned_data["password"], session=request.session.session_key)
            update_session_auth_hash(request, guest)
            messages.success(request, f"Your account is saved. You can log in as {guest.username} anywhere.")
            return _go_on(request, "/")
    return shown(request, "lobby/keep.html", {"form": form}, status=400 if form.errors else 200)


def _go_on(request: HttpRequest, otherwise: str) -> HttpResponse:
    target = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, {request.get_host()})
    return HttpResponseRedirect(target if is_ours else otherwise)
