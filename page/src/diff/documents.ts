// The two texts as the editors see them: lines end with LF inside, and what goes back ends as the proposal does.

import type { Contents, Hunk } from "../types";

export interface Documents {
  original: string;
  proposed: string;
  hunks: Hunk[];
  /** What goes back to the server. */
  restore(text: string): string;
}

export function documents(contents: Contents): Documents {
  const original = contents.original ?? "";
  const proposed = contents.accepted ?? contents.proposed;
  // Where every line ends with CRLF, the pair is one line end; elsewhere a CR is a character that is shown.
  const pairs = proposed.includes("\r\n") && !/[^\r]\n|^\n/.test(proposed) && !/[^\r]\n|^\n/.test(original);
  const inside = (text: string): string => (pairs ? text.replaceAll("\r\n", "\n") : text);
  return {
    original: inside(original),
    proposed: inside(proposed),
    // They describe the proposal; what was accepted in its place is compared anew.
    hunks: contents.accepted === null || contents.accepted === contents.proposed ? contents.hunks : [],
    restore: (text) => (pairs ? text.replaceAll("\n", "\r\n") : text),
  };
}

/** Where each line begins, and one more: where the last one ends. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return starts;
}

const squeeze = (line: string): string => line.replace(/\s+/g, "");

/**
 * The original with the proposal's lines wherever the two differ in nothing but whitespace: compared with that,
 * such changes are none.
 */
export function ignoringWhitespace(documents: Documents): Documents {
  const [old, now] = [lineStarts(documents.original), lineStarts(documents.proposed)];
  const cut = (text: string, starts: number[], from: number, count: number): string =>
    text.slice(starts[from] ?? text.length, starts[from + count] ?? text.length);
  const hunks: Hunk[] = [];
  let original = "";
  let done = 0;
  for (const hunk of documents.hunks) {
    const [oldLine, removed, newLine, added] = hunk;
    const theirs = cut(documents.original, old, oldLine, removed);
    const ours = cut(documents.proposed, now, newLine, added);
    const same = removed === added && theirs.split("\n").every((line, i) => squeeze(line) === squeeze(ours.split("\n")[i] ?? ""));
    if (!same) {
      hunks.push(hunk);
      continue;
    }
    original += documents.original.slice(done, old[oldLine] ?? documents.original.length) + ours;
    done = old[oldLine + removed] ?? documents.original.length;
  }
  return { ...documents, original: original + documents.original.slice(done), hunks };
}
