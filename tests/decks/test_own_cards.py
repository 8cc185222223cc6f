"""Cards on which players look for something of their own."""

from tefuda import games
from tefuda.decks.artwork import sign_of
from tefuda.decks.data import load
from tefuda.decks.faces import Style, face


def test_each_of_the_five_tigers_shows_a_tiger() -> None:
    """LF-45: the four ones and Leeten; no other card does."""
    deck = load(games.description("luk-fu"))
    tiger = {part.shape for part in sign_of("tiger") if "red" not in (part.shape.fill, part.shape.line)}
    drawn = {word: {part.shape for part in face(deck, card, Style())} for word, card in deck.cards.items()}
    assert {word for word, shapes in drawn.items() if tiger <= shapes} == {"C1", "S1", "K1", "T1", "L"}


def test_people_on_komatsu_cards_go_by_number_and_name() -> None:
    """KK-30: after the nine come the maid, the knight and the king; letters of western cards are not printed."""
    deck = load(games.description("kakkuri"))
    people = {(card.index, card.short["en"]) for card in deck.cards.values() if card.place >= 10}
    assert people == {("10", "maid"), ("11", "knight"), ("12", "king")}
    assert not {card.index for card in deck.cards.values()} & set("JQK")
