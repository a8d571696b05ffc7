// What the server says, in the shapes of crates/carrick-review/src/page/view.rs, contents.rs, decide.rs and log.rs.

export type Outcome = "accepted" | "rejected" | "closed" | "gone";

export interface ReviewLine {
  id: number;
  path: string;
  client: number;
  clientName: string;
  opened: number;
  before: "missing" | "text" | "binary";
  added: number;
  removed: number;
  outcome: Outcome | null;
  changed: boolean;
}

export interface Client {
  id: number;
  name: string;
  pid: number | null;
  since: number;
  ready: boolean;
  responsive: boolean;
}

export interface Selection {
  path: string;
  start: [number, number];
  end: [number, number];
  characters: number;
}

export interface Snapshot {
  run: string;
  version: string;
  root: string;
  folders: string[];
  lockFile: string;
  pid: number;
  now: number;
  clients: Client[];
  selection: Selection | null;
  trouble: { words: string; at: number } | null;
  reviews: ReviewLine[];
}

/** First line and number of lines, in the original and in the proposal, from 0. */
export type Hunk = [number, number, number, number];

export interface Contents {
  run: string;
  review: ReviewLine;
  original: string | null;
  proposed: string;
  accepted: string | null;
  hunks: Hunk[];
}

export interface DecisionAnswer {
  counted: boolean;
  outcome: Outcome | null;
  why: string | null;
}

export interface LogLine {
  number: number;
  client: number;
  sent: boolean;
  what: string;
  at: number;
  bytes: number;
}
