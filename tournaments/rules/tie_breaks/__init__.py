"""The tie-breaks (ST2 to ST7), one family a file."""

TIE_BREAKS = dict.fromkeys(("opponents_strength", "wins", "head_to_head", "countback", "timeouts", "lot"))
