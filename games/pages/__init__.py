"""Pages of games for people: the table at `/games/{id}`.

The page plays over the public REST API and the live stream, with the reader's session. Without a log-in, the page reads
public games from its own address, in the API's shapes.
"""
