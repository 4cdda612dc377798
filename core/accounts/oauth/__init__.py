"""Log in with Trey (AP7 to AP16): OAuth 2.1 and OpenID Connect by django-allauth's provider, with fences around it."""
