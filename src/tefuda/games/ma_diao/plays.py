"""Ma Diao: the actions: 0–39 plays that card face up, THROW + card throws it face down; then what is said."""

from tefuda.games.ma_diao.cards import CARDS

THROW = CARDS
SILENT, DECLARE, FIGHT, REFUSE = range(2 * CARDS, 2 * CARDS + 4)
ACTIONS = REFUSE + 1
