"""Where data is kept: a checkout that moves finds it again, a copy does not get at it."""

import re
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from config.environment import StartupError
from config.running import embedded
from config.running.embedded import places


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout of root's; `checkout(path)` is a process in the checkout at that path."""
    monkeypatch.delenv("TREY_STATE_DIR", raising=False)
    monkeypatch.setattr(places, "_ROOTS", tmp_path / "roots")
    monkeypatch.setattr(places, "is_root", lambda: True)

    def at(path):
        path.mkdir(exist_ok=True)
        monkeypatch.setattr(places, "CHECKOUT", path)
        return path

    at(tmp_path / "trey")
    return at


def start():
    """What a start writes down. Returns the state directory."""
    places.make_root(embedded.place("run"))
    return places.directory()


def test_an_ordinary_users_data_is_in_the_checkout(checkout, tmp_path, monkeypatch):
    monkeypatch.setattr(places, "is_root", lambda: False)
    assert start() == tmp_path / "trey" / "var"
    assert not (tmp_path / "trey" / "var" / "state").exists()


def test_roots_data_is_found_again_when_the_checkout_was_moved(checkout, tmp_path):
    first = start()
    assert first.parent == tmp_path / "roots"
    (tmp_path / "trey").rename(tmp_path / "moved")
    checkout(tmp_path / "moved")
    assert start() == first
    assert (first / "checkout").read_text() == f"{tmp_path / 'moved'}\n"


def test_a_new_checkout_at_the_old_path_has_data_of_its_own(checkout, tmp_path):
    first = start()
    (tmp_path / "trey").rename(tmp_path / "moved")
    checkout(tmp_path / "moved")
    start()
    checkout(tmp_path / "trey")
    assert start() != first


def test_a_copy_of_a_checkout_does_not_share_its_data(checkout, tmp_path):
    first = start()
    shutil.copytree(tmp_path / "trey", tmp_path / "copy")
    checkout(tmp_path / "copy")
    with pytest.raises(StartupError, match=re.escape(f"belongs to {tmp_path / 'trey'}")):
        start()
    (tmp_path / "copy" / "var" / "state").unlink()
    assert start() != first


def test_a_checkout_that_cannot_be_written_to_keeps_its_data(checkout, tmp_path):
    (tmp_path / "trey" / "var").write_text("in the way of a folder")
    first = start()
    assert start() == first


def test_the_setting_goes_before_and_nothing_is_written_down(checkout, tmp_path, monkeypatch):
    monkeypatch.setenv("TREY_STATE_DIR", str(tmp_path / "chosen"))
    assert start() == tmp_path / "chosen"
    assert not (tmp_path / "trey" / "var").exists()
    assert [folder.name for folder in (tmp_path / "chosen").iterdir()] == ["run"]


def test_a_folder_that_is_not_roots_is_never_named_in_the_checkout(checkout, tmp_path):
    # A server that is brought back may be in the folder of a setting that is gone by then.
    (tmp_path / "chosen").mkdir()
    places.claim(tmp_path / "chosen")
    assert not (tmp_path / "trey" / "var").exists()
    assert list((tmp_path / "chosen").iterdir()) == []


def test_a_path_too_long_for_sockets_is_refused_when_the_folder_for_temporary_files_is_no_shorter(monkeypatch):
    monkeypatch.setenv("TREY_STATE_DIR", "/tmp/" + "long/" * 30)
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/tmp/" + "long/" * 30)
    with pytest.raises(StartupError, match="too long for the sockets"), embedded.started(embedded.place("run")):
        pass


def test_binaries_that_two_starts_need_at_once_are_copied_by_one_of_them(tmp_path):
    copy, copies = tmp_path / "bin" / "server", []
    both = threading.Barrier(2)

    def start():
        both.wait()
        return places.copied(copy, "The server", fill)

    def fill(unfinished):
        unfinished.mkdir()
        copies.append(unfinished)

    with ThreadPoolExecutor(2) as starts:
        assert [start.result() for start in [starts.submit(start) for _ in range(2)]] == [copy, copy]
    assert len(copies) == 1


def test_a_copy_that_fails_says_where_and_is_made_by_the_next_start(tmp_path):
    def full(unfinished):
        raise OSError(28, "No space left on device")

    copy = tmp_path / "bin" / "server"
    with pytest.raises(StartupError, match=f"The server cannot be copied to {copy.parent}: No space left on device"):
        places.copied(copy, "The server", full)
    assert not copy.exists()
    assert places.copied(copy, "The server", lambda unfinished: unfinished.mkdir()).is_dir()
