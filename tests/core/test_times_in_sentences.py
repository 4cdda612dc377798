"""Moments within sentences."""

import pytest

from core.pages.moments import with_times


@pytest.mark.parametrize("said", ["2026-12-03 18:05 UTC", "3 December 2026, 18:05 UTC"])
def test_a_moment_in_a_sentence_is_a_time_for_the_readers_zone(said: str) -> None:
    shown = with_times(f"The <final> begins on {said}.")
    time = f'<time datetime="2026-12-03T18:05:00+00:00" data-form="at">{said}</time>'
    assert shown == f"The &lt;final&gt; begins on {time}."


@pytest.mark.parametrize("said", ["2026-13-03 18:05 UTC", "3 Smarch 2026, 18:05 UTC", "18:05 UTC", "2026-12-03"])
def test_what_is_no_moment_stays_text(said: str) -> None:
    assert with_times(said) == said
