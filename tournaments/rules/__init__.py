"""The rules of competing, pure Python: a tournament's record, standings, bounds and next round, as exact fractions."""

from tournaments.rules.errors import BadLine, BadRecord, BadSetting, NoRound, NoStage, TooFew
from tournaments.rules.fold import evolve, read_record, upto
from tournaments.rules.record import Entrant, NextRound, Record, Round
from tournaments.rules.settings import Settings, read_settings
