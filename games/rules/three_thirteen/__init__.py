"""Three Thirteen: eleven rounds of rummy, each with its own wild rank."""

from games.rules.three_thirteen.game import THREE_THIRTEEN
from games.rules.three_thirteen.lay_out import discards_to_go_out, lay_out

__all__ = ["THREE_THIRTEEN", "discards_to_go_out", "lay_out"]
