// The editors that show a change: two side by side, or one. Made anew for every other way to look at it, from the same
// texts and marks.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { Compartment, EditorState, type Extension, Text } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightSpecialChars,
  highlightWhitespace,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { harmless, visible } from "../text";
import { comparison } from "./changes";
import { controls } from "./controls";
import type { Documents } from "./documents";
import { type Marks, type Verdict, marks, setMarks } from "./marks";
import { theme } from "./theme";

export interface Look {
  layout: "split" | "unified";
  wrap: boolean;
  fold: boolean;
  whitespace: boolean;
}

export interface Plan {
  parent: Element;
  documents: Documents;
  /** The proposed side as the person left it. */
  text: string;
  marks: Marks;
  look: Look;
  language: Extension;
  name: string;
  decided: boolean;
  editing: boolean;
  act(chunk: number, verdict: Verdict): void;
  changed(): void;
  at(position: number): void;
}

export interface Editors {
  /** The proposed side. */
  now: EditorView;
  /** The original, when it has an editor of its own. */
  before: EditorView | null;
  scroller: Element;
  edit(editing: boolean): void;
  colour(language: Extension): void;
  destroy(): void;
}

const FOLD = { margin: 3, minSize: 5 };
const nonce = document.querySelector<HTMLMetaElement>("meta[name=style-nonce]")?.content ?? "";

function special(code: number): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "cm-specialChar";
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  shown.textContent = visible(String.fromCodePoint(code)).replace(/[<>]/g, "");
  shown.title = name;
  shown.setAttribute("aria-label", name);
  return shown;
}

function shared(plan: Plan, label: string, language: Compartment): Extension {
  return [
    EditorView.cspNonce.of(nonce),
    // Only LF ends a line: a CR is a character, shown and given back as it was.
    EditorState.lineSeparator.of("\n"),
    lineNumbers(),
    drawSelection(),
    highlightSpecialChars({
      render: special,
      addSpecialChars: /[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e007f}]/u,
    }),
    plan.look.whitespace ? highlightWhitespace() : [],
    plan.look.wrap ? EditorView.lineWrapping : [],
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false" }),
    EditorState.phrases.of({ "$ unchanged lines": "$ unchanged lines" }),
    marks,
    theme,
    language.of(plan.language),
  ];
}

function fixed(): Extension {
  return [EditorState.readOnly.of(true), EditorView.editable.of(false)];
}

function proposedSide(plan: Plan, language: Compartment, editable: Compartment): Extension {
  const follow = EditorView.updateListener.of((update) => {
    if (update.docChanged) plan.changed();
    if (update.selectionSet) plan.at(update.state.selection.main.head);
  });
  return [
    plan.decided ? [] : controls(plan.act),
    shared(plan, `Proposed contents of ${plan.name}`, language),
    history(),
    bracketMatching(),
    indentUnit.of(/^\t/m.test(plan.documents.proposed) ? "\t" : "  "),
    keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
    editable.of(plan.editing ? [] : fixed()),
    follow,
  ];
}

export function open(plan: Plan): Editors {
  const [language, editable] = [new Compartment(), new Compartment()];
  const build = plan.look.layout === "split" ? split : unified;
  const { now, before, scroller, destroy } = build(plan, language, editable);
  now.dispatch({ effects: setMarks.of(plan.marks) });
  const both = before ? [now, before] : [now];
  return {
    now,
    before,
    scroller,
    destroy,
    edit: (editing) => now.dispatch({ effects: editable.reconfigure(editing ? [] : fixed()) }),
    colour: (extension) => {
      for (const view of both) view.dispatch({ effects: language.reconfigure(extension) });
    },
  };
}

type Built = Pick<Editors, "now" | "before" | "scroller" | "destroy">;

function split(plan: Plan, language: Compartment, editable: Compartment): Built {
  const label = `Contents of ${plan.name} before the change`;
  const view = new MergeView({
    parent: plan.parent,
    a: { doc: plan.documents.original, extensions: [shared(plan, label, language), fixed()] },
    b: { doc: plan.text, extensions: proposedSide(plan, language, editable) },
    diffConfig: comparison(plan.documents),
    ...(plan.look.fold ? { collapseUnchanged: FOLD } : {}),
  });
  return { now: view.b, before: view.a, scroller: view.dom, destroy: () => view.destroy() };
}

function unified(plan: Plan, language: Compartment, editable: Compartment): Built {
  const view = new EditorView({
    parent: plan.parent,
    doc: plan.text,
    extensions: [
      proposedSide(plan, language, editable),
      unifiedMergeView({
        // Lines that go are shown as plain text, where nothing makes harmful characters visible: so none is in it.
        original: Text.of(harmless(plan.documents.original).split("\n")),
        mergeControls: false,
        diffConfig: comparison(plan.documents),
        ...(plan.look.fold ? { collapseUnchanged: FOLD } : {}),
      }),
    ],
  });
  return { now: view, before: null, scroller: view.scrollDOM, destroy: () => view.destroy() };
}
