// The page: puts the panes together and carries what happens from one to the other.

import { Connection, type Health } from "./connection";
import { Decisions } from "./decisions";
import { button, make, say, show } from "./dom";
import { type Command, listen } from "./keys";
import { help } from "./panes/help";
import { List } from "./panes/list";
import { Log } from "./panes/log";
import { Notify } from "./panes/notify";
import { ReviewPane } from "./panes/review";
import { Status } from "./panes/status";
import { nameOf, visible } from "./text";
import type { ReviewLine, Snapshot } from "./types";

/** Remarks on the screen; the oldest goes first. */
const REMARKS = 3;

/** How long a short message stays. */
const TOAST = 4000;

const BANNERS: Record<Health, string> = {
  connected: "",
  lost: "The connection to carrick is lost. This page comes back by itself; what you decide now is kept and sent then.",
  refused: "carrick no longer knows this page. Type carrick review --open in the workspace for a fresh link.",
};

class Page {
  private snapshot: Snapshot | null = null;
  private health: Health = "lost";
  private began = false;
  private selected: number | null = null;
  private skew = 0;
  /** What is on the screen is decided: the next change that comes takes its place. */
  private parked = false;
  /** What is on the screen was chosen by the person. */
  private asked = false;
  private toast = 0;

  private readonly list = new List();
  private readonly status = new Status();
  private readonly notify = new Notify();
  private readonly log = new Log(() => this.openLog(false));
  private readonly decisions = new Decisions({
    changed: () => this.draw(),
    answered: (decision, answer) => {
      if (!answer.counted) return this.tell(`Not counted: ${visible(answer.why ?? "it was decided already")}.`);
      this.tell(decision.accept ? "Accepted." : "Rejected.");
    },
  });
  private readonly review = new ReviewPane({
    decide: (line, accept, contents) => this.decide(line, accept, contents),
    held: (id) => this.held(id),
    tell: (words) => this.tell(words),
    now: () => this.now(),
  });

  private readonly workspace = make("span", { class: "workspace" });
  private readonly logButton = button("Log", () => this.openLog(this.log.element.hidden !== false), {
    class: "quiet",
    "aria-pressed": "false",
    title: "What goes between editor and agents (o)",
  });
  private readonly remarks = make("div", { class: "remarks", role: "status" });
  private readonly banner = make("div", { class: "banner", role: "alert", hidden: true });
  private readonly said = make("div", { class: "toast", role: "status" });
  private readonly empty = make(
    "div",
    { class: "empty" },
    make("h1", {}, "Nothing waits for you"),
    make("p", {}, "When an agent proposes a change, it appears here."),
    make("p", { class: "dim" }, "Press ? for the keys."),
  );
  private readonly main = make("main", { id: "main", tabindex: "-1" }, this.empty, this.review.element);
  private readonly commands = this.table();
  private readonly dialog = help(this.commands);
  private readonly connection: Connection;

  constructor() {
    const bar = make(
      "header",
      { class: "bar" },
      make("span", { class: "brand" }, "carrick"),
      this.workspace,
      make("span", { class: "tools" }, this.logButton, this.notify.button, button("Keys", () => this.openHelp(), { class: "quiet", title: "Every key (?)" })),
    );
    document.body.replaceChildren(
      make("a", { class: "skip", href: "#main" }, "Skip to the change"),
      bar,
      this.banner,
      this.remarks,
      make("div", { class: "room" }, this.list.element, this.main),
      this.log.element,
      this.status.element,
      this.said,
      this.dialog,
    );
    listen(this.commands, () => this.review.edit(false));
    this.draw();
    this.connection = new Connection({
      state: (snapshot, stream) => this.hear(snapshot, stream),
      health: (health) => this.feel(health),
      logged: (line) => this.log.add(line),
      missed: (count) => this.log.miss(count),
      remarked: (words) => this.remark(words),
    });
    setInterval(() => this.draw(), 5000);
  }

  private table(): Command[] {
    const review = this.review;
    return [
      { keys: ["a"], group: "Review", words: "Accept the change, without the rejected chunks", run: () => review.accept() },
      { keys: ["r"], group: "Review", words: "Reject the whole change", run: () => review.reject() },
      { keys: ["e"], group: "Review", words: "Edit the proposed contents (Escape ends it)", run: () => review.edit() },
      { keys: ["c"], group: "Review", words: "Copy the contents", run: () => void review.copy() },
      { keys: ["]"], group: "Review", words: "Next review", run: () => this.step(1) },
      { keys: ["["], group: "Review", words: "Previous review", run: () => this.step(-1) },
      { keys: ["j", "n"], group: "Chunks", words: "Next chunk", run: () => review.step(1) },
      { keys: ["k", "p"], group: "Chunks", words: "Previous chunk", run: () => review.step(-1) },
      { keys: ["y"], group: "Chunks", words: "Accept the chunk", run: () => review.mark("accepted") },
      { keys: ["x"], group: "Chunks", words: "Reject the chunk", run: () => review.mark("rejected") },
      { keys: [" "], group: "Chunks", words: "Reject the chunk, or take it back", run: () => review.toggleChunk() },
      { keys: ["u"], group: "View", words: "Side by side or unified", run: () => review.turn("layout") },
      { keys: ["f"], group: "View", words: "Fold what stays the same", run: () => review.turn("fold") },
      { keys: ["l"], group: "View", words: "Wrap long lines", run: () => review.turn("wrap") },
      { keys: ["s"], group: "View", words: "Show spaces and tabs", run: () => review.turn("whitespace") },
      { keys: ["w"], group: "View", words: "Ignore changes of whitespace", run: () => review.ignoreWhitespace() },
      { keys: ["o"], group: "Page", words: "Show the conversation with agents", run: () => this.openLog(this.log.element.hidden !== false) },
      { keys: ["i"], group: "Page", words: "Show the status", run: () => this.status.toggle() },
      { keys: ["?"], group: "Page", words: "Show these keys", run: () => this.openHelp() },
    ];
  }

  private now(): number {
    return Date.now() + this.skew;
  }

  private held(id: number): boolean {
    return this.snapshot !== null && this.decisions.made(this.snapshot.run, id);
  }

  private hear(snapshot: Snapshot, stream: number | null): void {
    // Numbers of another run mean other reviews.
    if (this.snapshot && this.snapshot.run !== snapshot.run) this.selected = null;
    this.snapshot = snapshot;
    this.skew = snapshot.now - Date.now();
    this.log.listen(stream);
    this.notify.update(snapshot, (id) => this.choose(id));
    this.draw();
  }

  private feel(health: Health): void {
    const back = health === "connected" && this.health !== "connected";
    this.health = health;
    this.began ||= health !== "lost" || this.snapshot !== null;
    this.draw();
    if (!back) return;
    void this.decisions.send();
    this.review.again();
  }

  private waiting(): ReviewLine[] {
    return (this.snapshot?.reviews ?? []).filter((line) => line.outcome === null && !this.held(line.id));
  }

  private draw(): void {
    const { snapshot, health } = this;
    say(this.banner, this.began || health === "refused" ? BANNERS[health] : "");
    show(this.banner, this.banner.textContent !== "");
    this.status.update(snapshot, health, this.now());
    if (!snapshot) return show(this.review.element, false);
    say(this.workspace, nameOf(snapshot.root, "").file);
    this.workspace.title = visible(snapshot.root);
    const first = this.waiting()[0]?.id ?? null;
    // The history forgets very large ones at once: then there is nothing left to stay at.
    const there = snapshot.reviews.some((line) => line.id === this.selected);
    if (!there || (this.parked && first !== null)) this.arrive(first);
    const line = snapshot.reviews.find((line) => line.id === this.selected);
    show(this.review.element, line !== undefined);
    show(this.empty, line === undefined);
    // One that was decided elsewhere makes way as well, unless somebody worked on it.
    if (line && this.review.show(line, snapshot.run, snapshot.root, this.asked)) this.parked ||= !this.review.touched;
    this.list.update(snapshot, this.now(), {
      selected: this.selected,
      held: (id) => this.held(id),
      choose: (id) => this.choose(id),
    });
  }

  private choose(id: number): void {
    this.selected = id;
    this.parked = false;
    this.asked = true;
    this.draw();
  }

  /** A review comes to the screen by itself. */
  private arrive(id: number | null): void {
    this.selected = id;
    this.parked = false;
    this.asked = false;
  }

  private step(by: 1 | -1): void {
    const reviews = [...this.waiting(), ...(this.snapshot?.reviews ?? []).filter((line) => line.outcome !== null).reverse()];
    const at = reviews.findIndex((line) => line.id === this.selected);
    const next = reviews[(at + by + reviews.length) % reviews.length];
    if (next) this.choose(next.id);
  }

  private decide(line: ReviewLine, accept: boolean, contents?: string): void {
    if (!this.snapshot) return;
    const rest = this.waiting().filter((other) => other.id !== line.id);
    this.decisions.make(this.snapshot.run, line.id, accept, contents);
    if (this.health !== "connected") this.tell("Kept, and sent when the connection is back.");
    // On to the next one that waits; the last one stays on the screen with what became of it.
    const next = rest.find((other) => other.id > line.id) ?? rest[0];
    if (next) this.arrive(next.id);
    else this.parked = true;
    this.draw();
  }

  private openLog(open: boolean): void {
    show(this.log.element, open);
    this.logButton.setAttribute("aria-pressed", String(open));
    this.connection.wantLog(open);
    if (!open) this.logButton.focus();
  }

  private openHelp(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Something a person should know stays until they have seen it. */
  private remark(words: string): void {
    const element = make("p", {}, make("span", {}, visible(words)), button("Dismiss", () => element.remove()));
    this.remarks.append(element);
    while (this.remarks.childElementCount > REMARKS) this.remarks.firstElementChild?.remove();
  }

  private tell(words: string): void {
    clearTimeout(this.toast);
    say(this.said, words);
    this.toast = window.setTimeout(() => say(this.said, ""), TOAST);
  }
}

new Page();
