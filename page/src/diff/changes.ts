// Where two texts differ, for the editors. The server has compared the lines; here only the parts that differ are
// looked at more closely, for as long as a person does not notice.

import { Change, type DiffConfig, diff } from "@codemirror/merge";
import { harmless } from "../text";
import { type Documents, lineStarts } from "./documents";

/** The closer look ends when this many milliseconds are gone: then whole lines count as changed. */
const BUDGET = 120;
/** A part larger than this is not looked at more closely. */
const PART = 20_000;

const CAREFUL = { scanLimit: 500, timeout: 200 };

function closer(a: string, b: string, hurry: boolean): readonly Change[] {
  const whole = [new Change(0, a.length, 0, b.length)];
  if (hurry || !a || !b || a.length + b.length > PART) return whole;
  return diff(a, b, { scanLimit: 500, timeout: 20 });
}

function initial(documents: Documents): Change[] {
  const { original, proposed, hunks } = documents;
  const [old, now] = [lineStarts(original), lineStarts(proposed)];
  const end = performance.now() + BUDGET;
  const changes: Change[] = [];
  for (const [oldLine, removed, newLine, added] of hunks) {
    const [fromA, toA] = [old[oldLine] ?? original.length, old[oldLine + removed] ?? original.length];
    const [fromB, toB] = [now[newLine] ?? proposed.length, now[newLine + added] ?? proposed.length];
    const hurry = performance.now() > end;
    for (const part of closer(original.slice(fromA, toA), proposed.slice(fromB, toB), hurry)) {
      changes.push(new Change(fromA + part.fromA, fromA + part.toA, fromB + part.fromB, fromB + part.toB));
    }
  }
  return changes;
}

/** For @codemirror/merge: the server's comparison for the whole texts, its own for what a person types. */
export function comparison(documents: Documents): DiffConfig {
  let known: Change[] | null = null;
  const { original, proposed, hunks } = documents;
  const trusted = hunks.length > 0 || original === proposed;
  return {
    override(a, b) {
      const whole = a.length === original.length && b.length === proposed.length;
      if (trusted && whole && b === proposed) return (known ??= initial(documents));
      // What is shown in place of harmful characters must not count as a change.
      return diff(harmless(a), harmless(b), CAREFUL);
    },
  };
}
