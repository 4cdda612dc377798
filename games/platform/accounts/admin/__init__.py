"""The dashboard's pages of accounts, and what all its lists share."""
