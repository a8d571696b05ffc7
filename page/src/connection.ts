// The stream from the server: one for each page, opened again by itself for as long as the page is there.

import { welcome } from "./server";
import type { LogLine, Snapshot } from "./types";

export type Health = "connected" | "lost" | "refused";

interface Hears {
  state(snapshot: Snapshot, stream: number | null): void;
  health(health: Health): void;
  logged(line: LogLine): void;
  missed(count: number): void;
  remarked(words: string): void;
}

/** Between two tries; the last one is repeated. */
const PAUSES = [250, 500, 1000, 2000];

export class Connection {
  private source: EventSource | null = null;
  private tries = 0;
  private wanted = false;
  private timer = 0;

  constructor(private readonly hears: Hears) {
    // A laptop that wakes up does not wait for the next try.
    addEventListener("online", () => this.open());
    this.open();
  }

  /** With or without the log: the stream is opened anew, and begins with how things stand. */
  wantLog(wanted: boolean): void {
    if (this.wanted === wanted) return;
    this.wanted = wanted;
    this.open();
  }

  private open(): void {
    clearTimeout(this.timer);
    this.source?.close();
    const source = new EventSource(`./api/events${this.wanted ? "?log=true" : ""}`);
    this.source = source;
    source.addEventListener("state", (event) => {
      this.tries = 0;
      this.hears.health("connected");
      const { state, stream } = JSON.parse(event.data) as { state: Snapshot; stream: number | null };
      this.hears.state(state, stream);
    });
    source.addEventListener("message", (event) => this.hears.logged(JSON.parse(event.data) as LogLine));
    source.addEventListener("missed", (event) => {
      this.hears.missed(JSON.parse((event as MessageEvent<string>).data) as number);
    });
    source.addEventListener("remark", (event) => {
      this.hears.remarked(JSON.parse((event as MessageEvent<string>).data) as string);
    });
    source.addEventListener("error", () => {
      if (this.source === source) void this.lost();
    });
  }

  private async lost(): Promise<void> {
    this.source?.close();
    this.source = null;
    const pause = PAUSES[Math.min(this.tries++, PAUSES.length - 1)];
    try {
      this.hears.health((await welcome()) ? "lost" : "refused");
    } catch {
      this.hears.health("lost");
    }
    this.timer = window.setTimeout(() => this.open(), pause);
  }
}
