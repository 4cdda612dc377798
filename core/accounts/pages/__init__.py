"""The pages of an account: allauth's with our forms and limits, and our own."""
