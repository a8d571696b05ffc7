// What would be accepted: the proposed side with the rejected chunks put back as they were.

import type { EditorState } from "@codemirror/state";
import { chunksOf, verdictOf } from "./marks";

export function result(original: string, state: EditorState): string {
  const now = state.doc.toString();
  let text = "";
  let done = 0;
  for (const chunk of chunksOf(state)) {
    if (verdictOf(state, chunk) !== "rejected") continue;
    // A chunk's end may lie one behind the end of the text, when its last line has no line end.
    let before = original.slice(chunk.fromA, Math.max(chunk.fromA, chunk.toA - 1));
    if (chunk.fromA !== chunk.toA && chunk.toB <= now.length) before += "\n";
    text += now.slice(done, chunk.fromB) + before;
    done = Math.min(now.length, chunk.toB);
  }
  return text + now.slice(done);
}
