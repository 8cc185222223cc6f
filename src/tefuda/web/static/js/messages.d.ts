// Written by `python -m tests.web.message_types` from the server's own types; do not change it by hand.

/** A seat that asks to take its last play back, and the seats that have yet to answer. */
export interface AskedBack {
  seat: number;
  awaited: number[];
}

/** The present deal, or the last until the next. */
export interface DealState {
  outcome?: string;
  shown?: string;
  payoff?: number[];
  totals?: number[];
  sheet?: string[][];
  rules?: string[][];
  settlement?: ([number, number, number])[];
  replay?: boolean;
  number: number;
  mover: number | null;
  over: boolean;
  legal: string[];
  equal: Record<string, string>;
  named: Record<string, string>;
  answered: boolean;
  since: number;
  scene: Scene;
  wish: WishState | null;
}

/** A moment that players wait for: its ``tune``, in hertz, whose it is (−1 for nobody's), and whether it is good for */
export interface DecisiveMoment {
  tune: number[];
  seat: number;
  lucky: boolean;
}

/** Why an order is refused; for an illegal play the rule too. */
export interface ErrorMessage {
  code: string;
  text: string;
  rule?: string;
  reason?: string;
}

/** One event, as a viewer is told of it; a play of their own was perhaps ``forced``: the only answer. ``lines`` are */
export interface EventReport {
  seq: number;
  at: number;
  kind: string;
  seat?: number;
  by?: number;
  name?: string;
  bot?: string | null;
  deal?: number;
  commitment?: string;
  seal?: string;
  attempt?: number;
  seats?: number[];
  clock?: number | null;
  speed?: "slow" | "normal" | "fast" | "instant";
  phrase?: string;
  text?: string;
  agreed?: boolean;
  muted?: boolean;
  plays?: number;
  play?: string;
  forced?: boolean;
  trick?: Trick;
  lines?: string[];
  captions?: ([number, string])[];
  moment?: DecisiveMoment;
}

/** Which deal a table was opened for: that of a ``day``; one that was played before, tried ``again`` by ``seat`` */
export interface GivenDeal {
  kind: "day" | "again" | "round";
  day?: string;
  deals?: number;
  table?: string;
  session?: number;
  deal?: number;
  plays?: number;
  seat?: number;
  paid?: number[];
}

/** Cards under a label, such as a suit of the hand or the cards somebody has captured. */
export interface Group {
  label: string;
  cards: string[];
  marked: string[];
}

/** A play to make, and why. */
export interface Hint {
  play: string;
  usual: string;
  text: string[];
  ideas: Idea[];
}

/** One play as the judges found it; amounts as people count them. */
export interface Idea {
  play: string;
  name: string;
  visits: number;
  mean: number;
  spread: number;
  worth: number;
  error: number;
  judged: boolean;
}

/** Why nobody plays on, at a table whose rules this version does not know, and the totals after the last finished */
export interface PastState {
  text: string;
  totals: number[];
}

/** A line for whoever waits for players: how many wait for a table with so many seats, the seconds that they have */
export interface QueueMessage {
  waiting?: number;
  seats?: number;
  waited?: number;
  bots?: boolean;
  bots_in?: number;
  table?: string;
  seat?: number;
  token?: string | null;
  error?: ErrorMessage;
}

/** Why a play is illegal: the rule's number, the code of the text, and the text. */
export interface ReasonMessage {
  rule: string;
  reason: string;
  text: string;
}

/** The reader of the message. */
export interface Recipient {
  seat: number | null;
  host: boolean;
}

/** An account of where a deal was won and lost, in what people count. ``luck``, ``own`` and ``others`` add up to the */
export interface Review {
  session: number;
  deal: number;
  seat: number;
  gain: number;
  own: number;
  luck?: number;
  others?: number;
  worths?: number[];
  decisions: ReviewedDecision[];
  moments: ReviewedMoment[];
  summary: string;
}

/** The number of decisions of a deal that have been judged, and of all, 0 until they are counted; and the dearest */
export interface ReviewProgress {
  judged: number;
  decisions: number;
  moments: ReviewedMoment[];
}

/** A choice among several plays, made after so many ``plays``: the best one, the same where none is clearly better; */
export interface ReviewedDecision {
  plays: number;
  play: string;
  best: string;
  given_away: number;
  doubt: number;
  low: number;
  high: number;
}

/** One of the dearest decisions in words, and why the best play is good: what would have become of the player, what */
export interface ReviewedMoment {
  plays: number;
  text: string;
  reason: string;
}

/** A view, ready to be drawn. */
export interface Scene {
  phase: string;
  number: number;
  tricks: number;
  hand: Group[];
  seats: SeatScene[];
  mark: string;
  reference: Group[];
  beside: Group[];
  middle: ([string, Record<string, string>])[];
  lead: number;
  winning: number;
  beating: string[];
  stake: ([string, Record<string, string>])[];
  clockwise: boolean;
}

/** One player's place. */
export interface SeatScene {
  held: number;
  played: string;
  piles: Group[];
  total: number;
  side: number;
  notes: ([string, Record<string, string>])[];
  tally: [number, number];
}

/** A seat, and who sits there; ``/faces/{face}.svg`` is what they look like, empty where nobody sits. ``connected`` */
export interface SeatState {
  name: string;
  bot: string | null;
  absent: boolean;
  open: boolean;
  face: string;
  connected?: boolean;
  muted?: boolean;
}

/** The shuffle of the next deal. */
export interface ShuffleState {
  deal: number;
  commitment: string;
  ready: boolean[];
  attempt: number;
  seals: string[] | null;
  revealed: boolean[];
  unrevealed: number[];
  link: string;
}

/** The answer over a socket to the message with this id. */
export interface SocketAnswer {
  type: "done" | "refused" | "why" | "pong";
  id: string | number | null;
  seq?: number;
  error?: ErrorMessage;
  play?: string;
  reason?: ReasonMessage | null;
}

/** A table as one person sees it. */
export interface StateMessage {
  v: number;
  type: "state";
  table: string;
  seq: number;
  game: string;
  rules: number;
  options: Record<string, boolean | number | string>;
  public: boolean;
  spectators: string;
  chat: boolean;
  among_friends: boolean;
  asked_back: AskedBack | null;
  clock: number | null;
  timed: boolean;
  slow: boolean;
  speed: "slow" | "normal" | "fast" | "instant";
  phase: "waiting" | "shuffling" | "playing" | "over" | "closed";
  seats: SeatState[];
  session: number;
  results: number[][];
  shuffle: ShuffleState | null;
  given?: GivenDeal;
  past?: PastState;
  events: EventReport[];
  you: Recipient;
  deal: DealState | null;
}

/** A finished trick: what each seat has played to it, as the viewer knows it, what such plays are called (texts by */
export interface Trick {
  plays: string[];
  named: Record<string, string>;
  seat: number;
}

/** An answer that the viewer may give before they are asked, the other one, and whether they have given it. */
export interface WishState {
  play: string;
  otherwise: string;
  said: boolean;
}
