// The conversation with agents as it goes over the wire: what is my editor telling the agent? Contents are fetched only
// when a line is opened.

import { button, make, say, show } from "../dom";
import { message } from "../server";
import { count, size, time, visible, visibleLines } from "../text";
import type { LogLine } from "../types";

/** Lines that are kept on the page; the oldest go first. */
const KEPT = 1000;

interface Kept {
  line: LogLine;
  element: HTMLElement;
}

export class Log {
  private readonly lines: Kept[] = [];
  private readonly rows = make("div", { class: "rows", role: "list", "aria-label": "Messages", tabindex: "0" });
  private readonly filter = make("input", {
    type: "search",
    placeholder: "Filter by method",
    "aria-label": "Filter the messages by method",
    input: () => this.refilter(),
  });
  private readonly pause = button("Pause", () => this.toggle(), { "aria-pressed": "false" });
  private readonly note = make("span", { class: "note", role: "status" });
  private waiting: LogLine[] = [];
  private missed = 0;
  private stream: number | null = null;

  readonly element = make(
    "section",
    { class: "log", "aria-label": "Conversation with agents", hidden: true },
    make("header", {}, make("h2", {}, "Conversation"), this.filter, this.pause, button("Clear", () => this.clear()), this.note),
    this.rows,
  );

  constructor(close: () => void) {
    this.element.querySelector("header")?.append(button("Close", close, { class: "last" }));
    this.tell();
  }

  /** Lines before this stream can no longer be opened: their contents were kept for the old one. */
  listen(stream: number | null): void {
    if (this.stream !== stream) this.clear();
    this.stream = stream;
  }

  add(line: LogLine): void {
    if (this.paused) {
      this.waiting.push(line);
      if (this.waiting.length > KEPT) this.waiting.shift();
    } else {
      this.append([line]);
    }
    this.tell();
  }

  miss(number: number): void {
    this.missed += number;
    this.tell();
  }

  private get paused(): boolean {
    return this.pause.getAttribute("aria-pressed") === "true";
  }

  private toggle(): void {
    this.pause.setAttribute("aria-pressed", String(!this.paused));
    if (!this.paused) this.append(this.waiting.splice(0));
    this.tell();
  }

  private clear(): void {
    this.lines.splice(0);
    this.waiting = [];
    this.missed = 0;
    this.rows.replaceChildren();
    this.tell();
  }

  private append(lines: LogLine[]): void {
    const atEnd = this.rows.scrollTop + this.rows.clientHeight >= this.rows.scrollHeight - 24;
    for (const line of lines) {
      const element = row(line, () => this.stream);
      show(element, this.passes(line));
      this.lines.push({ line, element });
      this.rows.append(element);
      if (this.lines.length > KEPT) this.lines.shift()?.element.remove();
    }
    if (atEnd) this.rows.scrollTop = this.rows.scrollHeight;
  }

  private passes(line: LogLine): boolean {
    return line.what.toLowerCase().includes(this.filter.value.trim().toLowerCase());
  }

  private refilter(): void {
    for (const { line, element } of this.lines) show(element, this.passes(line));
    this.tell();
  }

  private tell(): void {
    const words = [];
    if (this.lines.length === 0 && !this.paused) words.push("listening; nothing was said yet");
    if (this.paused) words.push(`paused, ${count(this.waiting.length, "message")} held`);
    if (this.missed > 0) words.push(`${count(this.missed, "message")} went by too fast`);
    say(this.note, words.join(" \u00b7 "));
  }
}

function row(line: LogLine, stream: () => number | null): HTMLElement {
  const contents = make("pre", { tabindex: "0", role: "region", "aria-label": `Contents of message ${line.number}` });
  const details: HTMLDetailsElement = make(
    "details",
    { toggle: () => void open() },
    make(
      "summary",
      {},
      make("time", {}, time(line.at)),
      make("span", { class: line.sent ? "way sent" : "way heard" }, line.sent ? "to agent" : "from agent"),
      make("span", { class: "what" }, visible(line.what)),
      make("span", { class: "client" }, `client ${line.client}`),
      make("span", { class: "size" }, size(line.bytes)),
    ),
    contents,
  );
  const open = async (): Promise<void> => {
    const from = stream();
    if (!details.open || contents.textContent !== "" || from === null) return;
    try {
      contents.textContent = visibleLines(pretty(await message(from, line.number)));
    } catch (error) {
      contents.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  return make("div", { role: "listitem" }, details);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
