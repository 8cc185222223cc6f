// Written by `python -m tests.web.message_types` from the server's own types; do not change it by hand.

/** What a client is answered over a socket, to the message with this id. */
export interface Answer {
  type: "done" | "refused" | "why" | "pong";
  id: string | number | null;
  seq?: number;
  error?: Fault;
  play?: string;
  reason?: Reason | null;
}

/** The present deal, or the last until the next. */
export interface DealState {
  payoff?: number[];
  totals?: number[];
  sheet?: string[][];
  settlement?: ([number, number, number])[];
  number: number;
  mover: number | null;
  over: boolean;
  legal: string[];
  equal: Record<string, string>;
  named: Record<string, string>;
  answered: boolean;
  since: number;
  scene: Scene;
  fields?: Record<string, unknown>;
}

/** Why an order is refused; of an illegal play the rule too. */
export interface Fault {
  code: string;
  text: string;
  rule?: string;
  reason?: string;
}

/** Cards under a label, such as a suit of the hand or the cards somebody has captured. */
export interface Group {
  label: string;
  cards: string[];
  marked: string[];
}

/** What a bot would play. */
export interface Hint {
  play: string;
  ideas: Idea[];
}

/** What a search found of one play. */
export interface Idea {
  play: string;
  visits: number;
  mean: number;
  spread: number;
}

/** Why a play is illegal: the rule's number, the code of the text, and the text. */
export interface Reason {
  rule: string;
  reason: string;
  text: string;
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

/** Who sits somewhere. */
export interface SeatState {
  name: string;
  bot: string | null;
  absent: boolean;
  open: boolean;
}

/** A deal that is to come. */
export interface ShuffleState {
  deal: number;
  commitment: string;
  ready: boolean[];
}

/** A table as one person sees it. */
export interface State {
  v: number;
  type: "state";
  table: string;
  seq: number;
  game: string;
  rules: number;
  options: Record<string, boolean | number | string>;
  public: boolean;
  spectators: string;
  clock: number;
  phase: "waiting" | "shuffling" | "playing" | "over" | "closed";
  seats: SeatState[];
  session: number;
  results: number[][];
  shuffle: ShuffleState | null;
  events: Told[];
  you: You;
  deal: DealState | null;
}

/** What is told of one event. */
export interface Told {
  seq: number;
  at: number;
  kind: string;
  seat?: number;
  name?: string;
  bot?: string | null;
  deal?: number;
  commitment?: string;
  phrase?: string;
  play?: string;
  trick?: Trick;
  lines?: string[];
}

/** A finished trick: what each seat has played to it, as the viewer knows it, what such plays are called (texts by */
export interface Trick {
  plays: string[];
  named: Record<string, string>;
  seat: number;
}

/** Who is shown the table. */
export interface You {
  seat: number | null;
  host: boolean;
}
