// The list of reviews: those that wait, the oldest first, and those of this run that have ended, the newest first.

import { arrange, make, say, show } from "../dom";
import { age, nameOf } from "../text";
import type { ReviewLine, Snapshot } from "../types";

const ENDED = { accepted: "accepted", rejected: "rejected", closed: "closed by the agent", gone: "connection lost" };

export interface Chosen {
  selected: number | null;
  /** Is a decision about it on its way? */
  held(id: number): boolean;
  choose(id: number): void;
}

interface Row {
  element: HTMLLIElement;
  update(line: ReviewLine, root: string, now: number, chosen: Chosen): void;
}

export class List {
  private readonly waiting = make("ul", { class: "rows", "aria-labelledby": "waiting-title" });
  private readonly ended = make("ul", { class: "rows", "aria-labelledby": "ended-title" });
  private readonly number = make("span", { class: "number" });
  private readonly nothing = make("p", { class: "nothing" }, "No change waits.");
  private readonly history = make("h2", { id: "ended-title" }, "History");
  private readonly rows = new Map<number, Row>();

  readonly element = make(
    "nav",
    { class: "list", "aria-label": "Reviews" },
    make("h2", { id: "waiting-title" }, "Waiting", this.number),
    this.nothing,
    this.waiting,
    this.history,
    this.ended,
  );

  update(snapshot: Snapshot, now: number, chosen: Chosen): void {
    const waiting = snapshot.reviews.filter((line) => line.outcome === null);
    const ended = snapshot.reviews.filter((line) => line.outcome !== null).reverse();
    const known = new Set(snapshot.reviews.map((line) => line.id));
    for (const id of this.rows.keys()) if (!known.has(id)) this.rows.delete(id);
    const place = (line: ReviewLine): Element => {
      const row = this.rows.get(line.id) ?? newRow(line.id, chosen);
      this.rows.set(line.id, row);
      row.update(line, snapshot.root, now, chosen);
      return row.element;
    };
    arrange(this.waiting, waiting.map(place));
    arrange(this.ended, ended.map(place));
    say(this.number, String(waiting.length));
    show(this.nothing, waiting.length === 0);
    show(this.waiting, waiting.length > 0);
    show(this.history, ended.length > 0);
    show(this.ended, ended.length > 0);
  }
}

function newRow(id: number, chosen: Chosen): Row {
  const file = make("span", { class: "file" });
  const folder = make("span", { class: "folder" });
  const added = make("span", { class: "added" });
  const removed = make("span", { class: "removed" });
  const about = make("span", { class: "about" });
  const button = make(
    "button",
    { type: "button", class: "row", click: () => chosen.choose(id) },
    make("span", { class: "top" }, file, make("span", { class: "counts" }, added, removed)),
    folder,
    about,
  );
  return {
    element: make("li", {}, button),
    update(line, root, now, chosen) {
      const name = nameOf(line.path, root);
      say(file, name.file);
      say(folder, name.folder);
      show(folder, name.folder !== "");
      say(added, line.added > 0 ? `+${line.added}` : "");
      say(removed, line.before === "binary" ? "not text" : line.removed > 0 ? `\u2212${line.removed}` : "");
      const state = line.outcome ? ended(line) : chosen.held(line.id) ? "sending\u2026" : age(line.opened, now);
      const client = line.clientName || `client ${line.client}`;
      say(about, `${client} \u00b7 ${state}`);
      button.dataset["outcome"] = line.outcome ?? "waiting";
      button.title = `${name.folder}${name.file}`;
      if (chosen.selected === line.id) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    },
  };
}

function ended(line: ReviewLine): string {
  if (line.outcome === null) return "";
  return line.changed ? "accepted with changes" : ENDED[line.outcome];
}
