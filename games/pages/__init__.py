"""Pages of games for people: the table at `/games/{id}`.

The page plays over the public REST API and the live stream, with the reader's session. Whoever is not logged in reads
public games from the page's own address, in the API's shapes.
"""
