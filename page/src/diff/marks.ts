// What the person thinks of each chunk: accepted, rejected or nothing yet; and which one they are at.
//
// A mark is a place in the text that moves with it. The chunk around the place has the mark, so marks survive edits
// and a change of the view.

import { type Chunk, getChunks } from "@codemirror/merge";
import { type EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

export type Verdict = "accepted" | "rejected";

export interface Mark {
  at: number;
  verdict: Verdict;
}

export interface Marks {
  marks: readonly Mark[];
  current: number | null;
}

export const setMarks = StateEffect.define<Marks>();

const field = StateField.define<Marks>({
  create: () => ({ marks: [], current: null }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) value = effect.value;
    if (!transaction.docChanged) return value;
    const move = (at: number): number => transaction.changes.mapPos(at, 1);
    return {
      marks: value.marks.map(({ at, verdict }) => ({ at: move(at), verdict })),
      current: value.current === null ? null : move(value.current),
    };
  },
});

export function marksOf(state: EditorState): Marks {
  return state.field(field, false) ?? { marks: [], current: null };
}

export function chunksOf(state: EditorState): readonly Chunk[] {
  return getChunks(state)?.chunks ?? [];
}

function extent(state: EditorState, chunk: Chunk): { from: number; to: number } {
  const left = getChunks(state)?.side === "a";
  const length = state.doc.length;
  const [from, to] = left ? [chunk.fromA, chunk.endA] : [chunk.fromB, chunk.endB];
  return { from: Math.min(from, length), to: Math.min(to, length) };
}

export function verdictOf(state: EditorState, chunk: Chunk): Verdict | null {
  const { from, to } = extent(state, chunk);
  return marksOf(state).marks.findLast(({ at }) => at >= from && at <= to)?.verdict ?? null;
}

/** The number of the chunk the person is at; -1 when at none. */
export function currentChunk(state: EditorState): number {
  const { current } = marksOf(state);
  if (current === null) return -1;
  return chunksOf(state).findIndex((chunk) => {
    const { from, to } = extent(state, chunk);
    return current >= from && current <= to;
  });
}

/** The marks with a chunk's verdict changed. */
export function withVerdict(state: EditorState, chunk: Chunk, verdict: Verdict | null): Marks {
  const { from, to } = extent(state, chunk);
  const others = marksOf(state).marks.filter(({ at }) => at < from || at > to);
  return { marks: verdict ? [...others, { at: from, verdict }] : others, current: from };
}

/** The same marks at the places of the other side. */
export function onOtherSide(state: EditorState): Marks {
  const marks: Mark[] = [];
  for (const chunk of chunksOf(state)) {
    const verdict = verdictOf(state, chunk);
    if (verdict) marks.push({ at: chunk.fromA, verdict });
  }
  const chunk = chunksOf(state)[currentChunk(state)];
  return { marks, current: chunk ? chunk.fromA : null };
}

function decorations(view: EditorView): DecorationSet {
  const { state, viewport } = view;
  const builder = new RangeSetBuilder<Decoration>();
  const current = currentChunk(state);
  chunksOf(state).forEach((chunk, index) => {
    const { from, to } = extent(state, chunk);
    const verdict = verdictOf(state, chunk);
    const whole = chunk.fromA === chunk.toA || chunk.fromB === chunk.toB;
    if (to < viewport.from || from > viewport.to || (!verdict && !whole && index !== current)) return;
    const empty = getChunks(state)?.side === "a" ? chunk.fromA === chunk.toA : chunk.fromB === chunk.toB;
    const names = [
      verdict && !empty ? `cm-chunk-${verdict}` : "",
      // Where whole lines come or go, a mark on every word of them says nothing.
      whole && !empty ? "cm-chunk-whole" : "",
      index === current ? "cm-chunk-current" : "",
    ].filter(Boolean);
    if (names.length === 0) return;
    const line = Decoration.line({ class: names.join(" ") });
    for (let at = Math.max(from, viewport.from); at <= Math.min(to, viewport.to); ) {
      const found = state.doc.lineAt(at);
      builder.add(found.from, found.from, line);
      at = found.to + 1;
    }
  });
  return builder.finish();
}

export const marks: Extension = [field, EditorView.decorations.of(decorations)];
