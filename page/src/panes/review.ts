// One change on the screen: its name, the editors, and what the person makes of it until it is decided.

import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type Documents, documents, ignoringWhitespace } from "../diff/documents";
import { type Editors, type Look, open } from "../diff/editors";
import { language } from "../diff/languages";
import { type Marks, type Verdict, chunksOf, currentChunk, marksOf, onOtherSide, setMarks, verdictOf, withVerdict } from "../diff/marks";
import { result } from "../diff/result";
import { make, say, show } from "../dom";
import { Refused, contents } from "../server";
import { age, nameOf, visible } from "../text";
import type { Contents, ReviewLine } from "../types";
import { Toolbar } from "./toolbar";

const LOOK = "carrick-look";

/** More lines than this in one piece are too many to be shown as gone in the unified view. */
const MANY = 3000;
const NARROW = matchMedia("(max-width: 800px)");

const ENDS = {
  accepted: "This change was accepted.",
  rejected: "This change was rejected.",
  closed: "The agent closed this change: it was answered elsewhere, or is no longer wanted.",
  gone: "The connection to the agent went away before there was an answer. The contents can still be copied.",
};

/** How long the text waits for its colours; after that it is shown without, and coloured when they come. */
const COLOURS = 250;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A change that comes to the screen by itself cannot be decided for so long: no key or click that was meant for another
 * one accepts it unread. */
const GRACE = 700;

/** What a person did to a review that is not decided yet. It outlives a look at another one. */
interface Draft {
  text: string;
  marks: Marks;
}

interface Hears {
  decide(line: ReviewLine, accept: boolean, contents?: string): void;
  held(id: number): boolean;
  tell(words: string): void;
  now(): number;
}

export class ReviewPane {
  private line: ReviewLine | null = null;
  private run = "";
  private root = "";
  private loaded: { contents: Contents; documents: Documents } | null = null;
  private editors: Editors | null = null;
  private editing = false;
  private ignoring = false;
  private colours: Extension = [];
  private ready = 0;
  private look: Look = restore();
  private readonly drafts = new Map<string, Draft>();
  private readonly folder = make("span", { class: "folder" });
  private readonly file = make("span", { class: "file" });
  private readonly about = make("p", { class: "about" });
  private readonly note = make("p", { class: "note", role: "status", hidden: true });
  private readonly place = make("div", { class: "editors" });
  private readonly toolbar: Toolbar;
  private readonly spoken = make("p", { class: "unseen", role: "status" });

  readonly element: HTMLElement;

  constructor(private readonly hears: Hears) {
    this.toolbar = new Toolbar(
      {
        look: (change) => this.change(change),
        ignoreWhitespace: () => this.ignoreWhitespace(),
        step: (by) => this.step(by),
        chunk: (verdict) => this.mark(verdict),
        edit: () => this.edit(),
        copy: () => void this.copy(),
        accept: () => this.accept(),
        reject: () => this.reject(),
      },
      () => this.look,
    );
    this.element = make(
      "article",
      { class: "review", "aria-labelledby": "review-name" },
      make(
        "header",
        {},
        make("div", { class: "title" }, make("h1", { id: "review-name" }, this.folder, this.file), this.about),
        this.toolbar.actions,
      ),
      this.toolbar.views,
      this.note,
      this.place,
      this.spoken,
    );
    NARROW.addEventListener("change", () => this.rebuild());
  }

  /** Shows a review, or what became of the one that is shown; true when it ended just now. */
  show(line: ReviewLine, run: string, root: string, asked: boolean): boolean {
    const other = this.line?.id !== line.id || this.run !== run;
    const ended = !other && this.line?.outcome === null && line.outcome !== null;
    if (other) this.keep();
    this.line = line;
    this.run = run;
    this.root = root;
    if (other) this.load();
    if (other && !asked) this.wait();
    if (ended) this.ended();
    this.refresh();
    return ended;
  }

  /** Somebody has edited or marked what is on the screen. */
  get touched(): boolean {
    const { edited } = this.summary();
    return edited || (this.editors !== null && marksOf(this.editors.now.state).marks.length > 0);
  }

  private wait(): void {
    this.ready = performance.now() + GRACE;
    setTimeout(() => this.refresh(), GRACE + 1);
  }

  /** The connection is back: what could not be fetched is fetched now. */
  again(): void {
    if (this.line && !this.loaded) this.load();
  }

  private load(): void {
    this.close();
    this.loaded = null;
    this.editing = false;
    const id = this.line?.id ?? 0;
    this.place.setAttribute("aria-busy", "true");
    this.colours = [];
    const colours = language(this.line?.path ?? "");
    void colours.then((found) => {
      if (this.line?.id !== id) return;
      this.colours = found;
      this.editors?.colour(found);
    });
    Promise.all([contents(id), Promise.race([colours, pause(COLOURS)])]).then(
      ([loaded]) => {
        if (this.line?.id !== id || this.run !== loaded.run) return;
        this.loaded = { contents: loaded, documents: documents(loaded) };
        this.build();
        this.refresh();
        if (!this.decided) this.step(1, false);
      },
      (error: unknown) => {
        if (this.line?.id === id && error instanceof Refused) this.remark("This review is no longer there.");
      },
    );
  }

  /** It was decided elsewhere or closed while it was on the screen: nothing on it changes but what can be done. */
  private ended(): void {
    this.editing = false;
    this.editors?.edit(false);
    this.drafts.delete(this.word);
  }

  /** A decision can be made now. */
  private get open(): boolean {
    const { line } = this;
    return line !== null && !this.decided && !this.hears.held(line.id) && performance.now() >= this.ready;
  }

  private get word(): string {
    return `${this.run}/${this.line?.id ?? 0}`;
  }

  private get decided(): boolean {
    return this.line === null || this.line.outcome !== null;
  }

  private layout(wish = this.look.layout): Look["layout"] {
    // Lines that go are all drawn at once in the unified view: a browser stops for seconds over very many.
    if (this.loaded?.documents.hunks.some(([, removed]) => removed > MANY)) return "split";
    return NARROW.matches || this.line?.before !== "text" ? "unified" : wish;
  }

  /** There is but one way to lay it out: a new file, no room for two columns, or too much for one. */
  private get fixed(): boolean {
    return this.layout("split") === this.layout("unified");
  }

  private keep(): void {
    if (!this.editors || this.decided) return;
    const { state } = this.editors.now;
    this.drafts.set(this.word, { text: state.doc.toString(), marks: marksOf(state) });
  }

  private close(): void {
    this.editors?.destroy();
    this.editors = null;
    this.place.replaceChildren();
  }

  private build(): void {
    if (!this.loaded || !this.line) return;
    const { documents } = this.loaded;
    const draft = this.decided ? undefined : this.drafts.get(this.word);
    this.close();
    this.place.removeAttribute("aria-busy");
    this.editors = open({
      parent: this.place,
      documents: this.ignoring ? ignoringWhitespace(documents) : documents,
      text: draft?.text ?? documents.proposed,
      marks: draft?.marks ?? { marks: [], current: null },
      look: { ...this.look, layout: this.layout() },
      language: this.colours,
      name: nameOf(this.line.path, this.root).file,
      decided: this.decided || this.line.before === "binary",
      editing: this.editing,
      act: (chunk, verdict) => this.mark(verdict, chunk),
      changed: () => this.refresh(),
      at: (position) => this.at(position),
    });
    this.mirror();
  }

  /** Another way to look at the same: the place on the screen is found again by the chunk. */
  private rebuild(): void {
    if (!this.editors) return;
    this.keep();
    const current = currentChunk(this.editors.now.state);
    this.build();
    this.refresh();
    this.scrollTo(current);
  }

  private change(change: Partial<Look>): void {
    this.look = { ...this.look, ...change };
    localStorage.setItem(LOOK, JSON.stringify(this.look));
    this.rebuild();
  }

  turn(what: "layout" | "fold" | "wrap" | "whitespace"): void {
    if (what === "layout") this.change({ layout: this.look.layout === "split" ? "unified" : "split" });
    else this.change({ [what]: !this.look[what] });
  }

  ignoreWhitespace(): void {
    this.ignoring = !this.ignoring;
    this.rebuild();
    this.hears.tell(this.ignoring ? "Changes of nothing but whitespace are hidden." : "All changes are shown.");
  }

  private at(position: number): void {
    const state = this.editors?.now.state;
    if (!state) return;
    const index = chunksOf(state).findIndex((chunk) => position >= chunk.fromB && position <= chunk.endB);
    if (index >= 0 && index !== currentChunk(state)) this.set({ ...marksOf(state), current: chunksOf(state)[index]?.fromB ?? null });
  }

  private set(marks: Marks): void {
    this.editors?.now.dispatch({ effects: setMarks.of(marks) });
    this.mirror();
    this.refresh();
  }

  private mirror(): void {
    const { editors } = this;
    if (editors?.before) editors.before.dispatch({ effects: setMarks.of(onOtherSide(editors.now.state)) });
  }

  step(by: 1 | -1, aloud = true): void {
    const state = this.editors?.now.state;
    const chunks = state ? chunksOf(state) : [];
    if (!state || chunks.length === 0) return;
    const current = currentChunk(state);
    const next = current < 0 ? (by > 0 ? 0 : chunks.length - 1) : (current + by + chunks.length) % chunks.length;
    this.set({ ...marksOf(state), current: Math.min(chunks[next]?.fromB ?? 0, state.doc.length) });
    this.scrollTo(next);
    if (aloud) this.speak(next);
  }

  private scrollTo(index: number): void {
    const view = this.editors?.now;
    const chunk = view ? chunksOf(view.state)[index] : undefined;
    if (!view || !chunk) return;
    const at = Math.min(chunk.fromB, view.state.doc.length);
    view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }

  private speak(index: number): void {
    const state = this.editors?.now.state;
    const chunk = state ? chunksOf(state)[index] : undefined;
    if (!state || !chunk) return;
    const lines = [chunk.fromB, chunk.endB].map((at) => state.doc.lineAt(Math.min(at, state.doc.length)).number);
    const verdict = verdictOf(state, chunk);
    const where = lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]} to ${lines[1]}`;
    say(this.spoken, `Chunk ${index + 1} of ${chunksOf(state).length}, ${where}${verdict ? `, ${verdict}` : ""}`);
  }

  /** Accepts or rejects a chunk; the same again takes it back. Then the next one that has no verdict is looked at. */
  mark(verdict: Verdict, index?: number): void {
    const state = this.editors?.now.state;
    if (!state || this.decided || this.line?.before === "binary") return;
    const at = index ?? currentChunk(state);
    const chunk = chunksOf(state)[at];
    if (!chunk) return this.step(1);
    const same = verdictOf(state, chunk) === verdict;
    this.set(withVerdict(state, chunk, same ? null : verdict));
    this.speak(at);
    if (!same && index === undefined) this.onward();
  }

  toggleChunk(): void {
    const state = this.editors?.now.state;
    const chunk = state ? chunksOf(state)[currentChunk(state)] : undefined;
    if (!state || !chunk || this.decided) return;
    const verdict = verdictOf(state, chunk) === "rejected" ? "accepted" : "rejected";
    this.set(withVerdict(state, chunk, verdict));
    this.speak(currentChunk(state));
  }

  private onward(): void {
    const state = this.editors?.now.state;
    if (!state) return;
    const chunks = chunksOf(state);
    const from = currentChunk(state);
    const next = chunks.findIndex((chunk, index) => index > from && !verdictOf(state, chunk));
    if (next < 0) return;
    this.set({ ...marksOf(state), current: chunks[next]?.fromB ?? null });
    this.scrollTo(next);
  }

  edit(editing = !this.editing): void {
    if (!this.editors || this.decided || this.hears.held(this.line?.id ?? 0) || editing === this.editing) return;
    this.editing = editing;
    this.editors.edit(editing);
    this.editors.now.focus();
    if (editing) {
      const { state } = this.editors.now;
      const chunk = chunksOf(state)[currentChunk(state)];
      if (chunk) this.editors.now.dispatch({ selection: { anchor: Math.min(chunk.endB, state.doc.length) } });
    }
    this.hears.tell(editing ? "Editing the proposed contents. Escape ends it." : "No longer editing.");
    this.refresh();
  }

  /** What would be accepted now. */
  private result(): string {
    if (!this.loaded || !this.editors) return "";
    const { documents } = this.loaded;
    const original = (this.ignoring ? ignoringWhitespace(documents) : documents).original;
    return documents.restore(result(original, this.editors.now.state));
  }

  accept(): void {
    if (!this.line || !this.loaded || !this.open) return;
    const { chunks, rejected, edited } = this.summary();
    if (chunks > 0 && rejected === chunks && !edited) return this.hears.tell("Every chunk is rejected: press r to reject the change.");
    const result = this.result();
    // What nobody changed goes back as it came, byte for byte: then the server takes its own copy.
    this.hears.decide(this.line, true, result === this.loaded.contents.proposed ? undefined : result);
    this.drafts.delete(this.word);
  }

  reject(): void {
    if (!this.line || !this.open) return;
    this.hears.decide(this.line, false);
    this.drafts.delete(this.word);
  }

  async copy(): Promise<void> {
    if (!this.editors || !this.loaded) return;
    try {
      await navigator.clipboard.writeText(this.result());
      this.hears.tell("Copied.");
    } catch {
      this.hears.tell("The browser does not allow copying; select the text and copy it by hand.");
    }
  }

  private summary(): { chunks: number; rejected: number; edited: boolean; current: number } {
    const state = this.editors?.now.state;
    if (!state || !this.loaded) return { chunks: 0, rejected: 0, edited: false, current: -1 };
    const chunks = chunksOf(state);
    const rejected = chunks.filter((chunk) => verdictOf(state, chunk) === "rejected").length;
    const { proposed } = this.loaded.documents;
    const edited = state.doc.length !== proposed.length || state.doc.toString() !== proposed;
    return { chunks: chunks.length, rejected, edited, current: currentChunk(state) };
  }

  refresh(): void {
    const { line } = this;
    if (!line) return;
    const name = nameOf(line.path, this.root);
    say(this.folder, name.folder);
    say(this.file, name.file);
    const kind = line.before === "missing" ? "new file" : line.before === "binary" ? "not text" : "";
    const facts = [visible(line.clientName) || `client ${line.client}`, kind, `+${line.added} \u2212${line.removed}`, age(line.opened, this.hears.now())];
    say(this.about, facts.filter(Boolean).join(" \u00b7 "));
    const held = this.hears.held(line.id);
    this.remark(line.outcome ? ENDS[line.outcome] : held ? "Your decision is on its way." : line.before === "binary" ? BINARY : "");
    this.note.dataset["kind"] = line.outcome ?? "";
    const { ignoring, editing, decided } = this;
    const look = { ...this.look, layout: this.layout() };
    this.toolbar.update({ look, ignoring, editing, decided, open: this.open, fixed: this.fixed, text: line.before !== "binary", ...this.summary() });
    this.element.classList.toggle("editing", editing);
  }

  private remark(words: string): void {
    say(this.note, words);
    show(this.note, words !== "");
  }
}

const BINARY =
  "What is in the file now is not text (binary, or not valid UTF-8), so it cannot be compared. Accepting replaces all of it with the contents below.";

function restore(): Look {
  const plain: Look = { layout: "split", wrap: true, fold: true, whitespace: false };
  try {
    return { ...plain, ...(JSON.parse(localStorage.getItem(LOOK) ?? "{}") as Partial<Look>) };
  } catch {
    return plain;
  }
}
