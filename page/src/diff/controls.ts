// A gutter with two buttons at the head of each chunk, for the mouse. The toolbar and the keys do the same for
// everyone else, so these stay out of the order of focus.

import { type EditorState, type Extension, StateField } from "@codemirror/state";
import { type EditorView, GutterMarker, gutter } from "@codemirror/view";
import { make } from "../dom";
import { type Verdict, chunksOf, currentChunk, marksOf, verdictOf } from "./marks";

type Act = (chunk: number, verdict: Verdict) => void;

class Buttons extends GutterMarker {
  constructor(
    readonly chunk: number,
    readonly verdict: Verdict | null,
    readonly current: boolean,
    readonly act: Act,
  ) {
    super();
  }

  override eq(other: Buttons): boolean {
    return other.chunk === this.chunk && other.verdict === this.verdict && other.current === this.current;
  }

  override toDOM(): Node {
    const one = (verdict: Verdict, sign: string, title: string): HTMLButtonElement =>
      make(
        "button",
        {
          type: "button",
          tabindex: "-1",
          title,
          class: `chunk-button ${verdict}${this.verdict === verdict ? " chosen" : ""}`,
          mousedown: (event) => {
            event.preventDefault();
            this.act(this.chunk, verdict);
          },
        },
        sign,
      );
    return make(
      "div",
      { class: `chunk-buttons${this.current ? " current" : ""}`, "data-chunk": String(this.chunk + 1) },
      one("accepted", "\u2713", "Accept this chunk (y)"),
      one("rejected", "\u2715", "Reject this chunk (x)"),
    );
  }
}

/** The chunk that each line is the head of, found once for each state. */
const heads = StateField.define<Map<number, number>>({
  create: find,
  update: (known, transaction) =>
    chunksOf(transaction.state) === chunksOf(transaction.startState) && !transaction.docChanged
      ? known
      : find(transaction.state),
});

function find(state: EditorState): Map<number, number> {
  const found = new Map<number, number>();
  chunksOf(state).forEach((chunk, index) => {
    found.set(state.doc.lineAt(Math.min(chunk.fromB, state.doc.length)).from, index);
  });
  return found;
}

function changed(view: EditorView, before: EditorState): boolean {
  return chunksOf(view.state) !== chunksOf(before) || marksOf(view.state) !== marksOf(before);
}

export function controls(act: Act): Extension {
  return [
    heads,
    gutter({
      class: "cm-chunkGutter",
      lineMarker(view, line) {
        const index = view.state.field(heads).get(line.from);
        const chunk = index === undefined ? undefined : chunksOf(view.state)[index];
        if (index === undefined || !chunk) return null;
        return new Buttons(index, verdictOf(view.state, chunk), index === currentChunk(view.state), act);
      },
      lineMarkerChange: (update) => changed(update.view, update.startState),
      initialSpacer: () => new Buttons(-1, null, false, act),
    }),
  ];
}
