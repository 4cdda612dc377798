"""The common parts of pages for people: `site/base.html`, one style sheet of tokens, and times in the reader's zone.

A page extends `site/base.html` and fills its blocks `title`, `head`, `main` and `scripts`. Put `viewer` (the request's
user) into the context of a page that is made for one reader: the header then says who is logged in. Leave it out of a
page that is cached for everybody. docs/pages.md lists the blocks and classes.
"""
