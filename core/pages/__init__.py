"""The common parts of pages for people; docs/contribute/pages.md lists the blocks and classes.

Put `viewer` (the request's user) into the context of a page that is made for one reader. Leave it out of a page that is
cached for everybody.
"""
