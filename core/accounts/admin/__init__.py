"""The dashboard's pages about accounts, and the common parts of all its lists."""
