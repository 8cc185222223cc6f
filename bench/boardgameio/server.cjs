// A trick game of four seats on boardgame.io's server, as its documentation writes one: 52 cards, suit is followed, the
// highest card of the suit led takes the trick; after thirteen tricks the cards are dealt again. Its hands are secret.
const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");
const { Server, Origins } = require("boardgame.io/server");

const SUITS = ["C", "D", "H", "S"];
const RANKS = "23456789TJQKA";
const PACK = SUITS.flatMap((suit) => [...RANKS].map((rank) => suit + rank));

function hands(random) {
  const pack = random.Shuffle(PACK);
  return Object.fromEntries([0, 1, 2, 3].map((seat) => [seat, { hand: pack.slice(13 * seat, 13 * seat + 13) }]));
}

function isLegal(G, hand, card) {
  const led = G.trick.length ? G.trick[0].card[0] : card[0];
  return hand.includes(card) && (card[0] === led || !hand.some((other) => other[0] === led));
}

function takenBy(trick) {
  const strength = ({ card }) => (card[0] === trick[0].card[0] ? RANKS.indexOf(card[1]) : -1);
  return trick.reduce((best, play) => (strength(play) > strength(best) ? play : best)).seat;
}

function play({ G, playerID, random, events }, card) {
  const hand = G.players[playerID].hand;
  if (!isLegal(G, hand, card)) return INVALID_MOVE;
  hand.splice(hand.indexOf(card), 1);
  G.trick.push({ seat: Number(playerID), card });
  let next = (Number(playerID) + 1) % 4;
  if (G.trick.length === 4) {
    next = takenBy(G.trick);
    G.taken[next] += 1;
    G.trick = [];
    if (!hand.length) G.players = hands(random);
  }
  events.endTurn({ next: String(next) });
}

const trick = {
  name: "trick",
  minPlayers: 4,
  maxPlayers: 4,
  disableUndo: true,
  setup: ({ random }) => ({ players: hands(random), trick: [], taken: [0, 0, 0, 0] }),
  playerView: PlayerView.STRIP_SECRETS,
  moves: { play },
};

Server({ games: [trick], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]), () => console.log(`ready ${process.pid}`));
