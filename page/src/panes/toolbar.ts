// The buttons over a change: how to look at it, which chunk, and what to do with it. Each names its key.

import type { Look } from "../diff/editors";
import { button, key, make, say, show } from "../dom";

export interface Acts {
  look(change: Partial<Look>): void;
  ignoreWhitespace(): void;
  step(by: 1 | -1): void;
  chunk(verdict: "accepted" | "rejected"): void;
  edit(): void;
  copy(): void;
  accept(): void;
  reject(): void;
}

export interface Shown {
  look: Look;
  ignoring: boolean;
  /** There is but one way to lay it out. */
  fixed: boolean;
  chunks: number;
  current: number;
  rejected: number;
  edited: boolean;
  editing: boolean;
  decided: boolean;
  text: boolean;
  /** It can be decided now. */
  open: boolean;
}

function keyed(label: string, name: string, action: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = button("", action, { "aria-keyshortcuts": name, ...attributes });
  made.append(make("span", {}, label), key(name));
  return made;
}

function words(element: HTMLElement, text: string): void {
  const label = element.querySelector("span");
  if (label) say(label, text);
}

const press = (element: HTMLElement, on: boolean): void => element.setAttribute("aria-pressed", String(on));

export class Toolbar {
  private readonly split;
  private readonly unified;
  private readonly fold;
  private readonly wrap;
  private readonly whitespace;
  private readonly ignore;
  private readonly place = make("span", { class: "place" });
  private readonly chunks: HTMLElement;
  private readonly marks: HTMLElement;
  private readonly copy;
  private readonly edit;
  private readonly reject;
  private readonly accept;
  readonly views: HTMLElement;
  readonly actions: HTMLElement;

  constructor(acts: Acts, look: () => Look) {
    this.split = button("Split", () => acts.look({ layout: "split" }));
    this.unified = button("Unified", () => acts.look({ layout: "unified" }));
    this.fold = button("Fold", () => acts.look({ fold: !look().fold }), { title: "Hide what stays the same (f)" });
    this.wrap = button("Wrap", () => acts.look({ wrap: !look().wrap }), { title: "Wrap long lines (l)" });
    this.whitespace = button("Show spaces", () => acts.look({ whitespace: !look().whitespace }), {
      title: "Show spaces and tabs (s)",
    });
    this.ignore = button("Ignore spaces", acts.ignoreWhitespace, {
      title: "Do not show changes of nothing but whitespace (w)",
    });
    this.marks = make(
      "span",
      { class: "group" },
      button("\u2713", () => acts.chunk("accepted"), { class: "good", "aria-label": "Accept this chunk", title: "Accept this chunk (y)" }),
      button("\u2715", () => acts.chunk("rejected"), { class: "bad", "aria-label": "Reject this chunk", title: "Reject this chunk (x)" }),
    );
    this.chunks = make(
      "span",
      { class: "chunks", role: "group", "aria-label": "Chunks" },
      button("\u2191", () => acts.step(-1), { "aria-label": "Previous chunk", title: "Previous chunk (k)" }),
      this.place,
      button("\u2193", () => acts.step(1), { "aria-label": "Next chunk", title: "Next chunk (j)" }),
      this.marks,
    );
    this.copy = button("Copy", acts.copy, { title: "Copy the contents (c)" });
    this.edit = keyed("Edit", "e", acts.edit);
    this.reject = keyed("Reject", "r", acts.reject, { class: "reject" });
    this.accept = keyed("Accept", "a", acts.accept, { class: "accept" });
    const layout = make("span", { class: "segments", role: "group", "aria-label": "Layout" }, this.split, this.unified);
    const toggles = make("span", { class: "toggles", role: "group", "aria-label": "View" }, this.fold, this.wrap, this.whitespace, this.ignore);
    this.views = make("div", { class: "toolbar", role: "toolbar", "aria-label": "View and chunks" }, layout, toggles, this.chunks);
    this.actions = make("div", { class: "actions" }, this.copy, this.edit, this.reject, this.accept);
  }

  update(shown: Shown): void {
    const { look } = shown;
    press(this.split, look.layout === "split");
    press(this.unified, look.layout === "unified");
    if (this.split.parentElement) show(this.split.parentElement, !shown.fixed);
    press(this.fold, look.fold);
    press(this.wrap, look.wrap);
    press(this.whitespace, look.whitespace);
    press(this.ignore, shown.ignoring);
    show(this.chunks, shown.chunks > 0 && shown.text);
    show(this.marks, !shown.decided);
    say(this.place, shown.current < 0 ? `${shown.chunks} ${shown.chunks === 1 ? "chunk" : "chunks"}` : `${shown.current + 1} of ${shown.chunks}`);
    this.updateActions(shown);
  }

  private updateActions(shown: Shown): void {
    const { open } = shown;
    for (const action of [this.edit, this.reject, this.accept]) show(action, !shown.decided);
    press(this.edit, shown.editing);
    words(this.edit, shown.editing ? "Stop editing" : "Edit");
    this.edit.disabled = this.reject.disabled = !open;
    const nothing = shown.chunks > 0 && shown.rejected === shown.chunks && !shown.edited;
    this.accept.disabled = !open || nothing;
    words(this.accept, nothing ? "Nothing left" : label(shown));
  }
}

function label({ chunks, rejected, edited }: Shown): string {
  if (rejected > 0) return `Accept ${chunks - rejected} of ${chunks}`;
  return edited ? "Accept edited" : "Accept";
}
