"""Log in with Trey: OAuth 2.1 and OpenID Connect by django-allauth's provider, with fences around it."""
