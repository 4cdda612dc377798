"""Check the shuffles of a finished game, as docs/build/fairness.md explains, without any of Trey's code.

TOKEN=... python examples/fairness.py http://127.0.0.1:8000 GAME-ID
"""

import hashlib
import hmac
import json
import os
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]

PLAIN = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
JOKERS = [*PLAIN, "XR", "XB"]
DECKS = {"three_card": PLAIN, "castle": PLAIN, "three_thirteen": PLAIN, "tripp_jokes": JOKERS, "threes": JOKERS}


def commitment(secret: bytes) -> str:
    """Return what was published when the room was opened."""
    return hashlib.sha256(b"trey-fairness/1\0commitment\0" + secret).hexdigest()


def stream(key: bytes, label: str) -> Iterator[int]:
    """Yield the numbers of a label: 32 bits each, big-endian, eight to a block."""
    block = 0
    while True:
        digest = hmac.digest(key, label.encode() + b"\0" + block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def below(n: int, numbers: Iterator[int]) -> int:
    """Return the next number below n; those that would favour some of the n are skipped."""
    return next(number for number in numbers if number < 2**32 // n * n) % n


def shuffled(cards: Sequence[str], numbers: Iterator[int]) -> list[str]:
    """Return the cards in their new order, top card first."""
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = below(i + 1, numbers)
        order[i], order[j] = order[j], order[i]
    return order


def check(fairness: Json, record: Json, events: Sequence[Json]) -> None:
    """Raise AssertionError if the dealer or a shuffle does not follow from the secret and the salts."""
    secret, deck = bytes.fromhex(fairness["secret"]), DECKS[record["game"]]
    same(commitment(secret), fairness["commitment"])
    salts = json.dumps(fairness["salts"], separators=(",", ":")).encode()
    key = hmac.digest(secret, b"trey-fairness/1\0key\0" + salts, "sha256")
    same(below(record["seats"], stream(key, "dealer")), record["dealer"])
    shuffles: list[list[str]] = []
    pile: list[str] = []
    for event in events:
        data, move = event["data"], event["data"].get("move") or {}
        if data.get("shuffle"):
            shuffles.append(data["shuffle"])
            cards = deck * (len(data["shuffle"]) // len(deck)) if event["type"] == "dealt" else pile[:-1]
            same(shuffled(cards, stream(key, f"shuffle {len(shuffles)}")), data["shuffle"])
            pile = [data["discard_top"]] if "discard_top" in data else pile[-1:]
        elif move.get("from") == "discard":
            pile.pop()
        elif event["type"] in {"discarded", "went_out"}:
            pile.append(move.get("card") or move["discard"])
    same(shuffles, record["shuffles"])
    same(len(shuffles), fairness["shuffles"])


def same(found: object, shown: object) -> None:
    """Raise AssertionError if these differ."""
    if found != shown:
        raise AssertionError(f"{shown} should be {found}")


def get(url: str) -> Any:
    """Return what the server shows to the owner of TOKEN."""
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  the address is the caller's own
        return json.load(answer)


def fetched(server: str, game_id: str) -> tuple[Json, Json, list[Json]]:
    """Return a game's fairness, record and events."""
    game = f"{server.rstrip('/')}/api/v1/games/{game_id}"
    events: list[Json] = []
    page: str | None = f"{game}/events"
    while page:
        found = get(page)
        events += found["results"]
        page = found["next"]
    return get(f"{game}/fairness"), get(f"{game}/record"), events


if __name__ == "__main__":
    check(*fetched(*sys.argv[1:]))
    print("Nobody chose the cards.")
