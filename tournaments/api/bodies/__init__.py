"""The bodies of responses. Nothing is sent that is not named here."""
