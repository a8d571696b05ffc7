// Decisions on their way. One is kept until the server has answered it, through lost connections and a reload, and
// carries a word of its own, so that the server counts it once however often it is sent.

import { type Decision, Refused, decide } from "./server";
import type { DecisionAnswer } from "./types";

const PLACE = "carrick-held";

/** Between two tries. */
const PAUSE = 1500;

interface Hears {
  /** What is on its way changed. */
  changed(): void;
  answered(decision: Decision, answer: DecisionAnswer): void;
}

export class Decisions {
  private held: Decision[] = restore();
  private readonly settled = new Set<string>();
  private sending = false;
  private timer = 0;

  constructor(private readonly hears: Hears) {}

  /** A decision about this review was made here, and how things stand does not show it yet. */
  made(run: string, id: number): boolean {
    return this.settled.has(`${run}/${id}`) || this.held.some((decision) => decision.id === id && decision.run === run);
  }

  make(run: string, id: number, accept: boolean, contents?: string): void {
    if (this.made(run, id)) return;
    const word = crypto.randomUUID();
    this.held.push({ run, id, word, accept, ...(contents === undefined ? {} : { contents }) });
    this.changed();
    void this.send();
  }

  /** Sends what waits, in order; stops at the first one that does not get through. */
  async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      for (let next = this.held[0]; next; next = this.held[0]) {
        const answer = await attempt(next);
        this.held.shift();
        // The answer comes before the news of it: until then the review must not look as if it still waited.
        if (answer.counted || answer.outcome !== null) this.settled.add(`${next.run}/${next.id}`);
        this.changed();
        this.hears.answered(next, answer);
      }
    } catch {
      // Not reached. The connection's return calls us too; the clock is for when it never noticed the loss.
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.send(), PAUSE);
    } finally {
      this.sending = false;
    }
  }

  private changed(): void {
    try {
      sessionStorage.setItem(PLACE, JSON.stringify(this.held));
    } catch {
      // Too large for the browser: then it is kept for as long as the page is open.
      sessionStorage.removeItem(PLACE);
    }
    this.hears.changed();
  }
}

async function attempt(decision: Decision): Promise<DecisionAnswer> {
  try {
    return await decide(decision);
  } catch (error) {
    // 401: the person may come back with a fresh link. Anything else that is refused stays refused.
    if (error instanceof Refused && error.status !== 401) {
      return { counted: false, outcome: null, why: error.message };
    }
    throw error;
  }
}

function restore(): Decision[] {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? "[]") as Decision[];
  } catch {
    return [];
  }
}
