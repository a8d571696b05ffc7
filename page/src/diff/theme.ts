// The look of the editors, in the colours of the page: its variables change with the system's theme, so one does for both.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--mono)", lineHeight: "1.55", padding: "6px 0", caretColor: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-line": { padding: "0 10px 0 8px" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 10px", minWidth: "30px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection) !important",
  },
  ".cm-content ::selection": { backgroundColor: "var(--selection)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-changeGutter": { width: "3px", paddingLeft: "0" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--gone)" },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "var(--come)" },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "var(--gone-strong) !important",
    borderRadius: "2px",
  },
  "&.cm-merge-b .cm-changedText": { background: "var(--come-strong) !important", borderRadius: "2px" },
  "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--bad)" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--good)" },
  "& .cm-chunk-whole .cm-changedText": { background: "transparent !important" },
  ".cm-deletedChunk": { paddingLeft: "8px", paddingRight: "10px" },
  ".cm-deletedChunk del, .cm-deletedLine, .cm-insertedLine": { textDecoration: "none" },
  ".cm-mergeSpacer": {
    background:
      "repeating-linear-gradient(-45deg, transparent 0 5px, color-mix(in srgb, var(--line) 55%, transparent) 5px 6px)",
  },
  ".cm-collapsedLines": {
    background: "var(--fold) !important",
    color: "var(--dim) !important",
    fontFamily: "var(--sans)",
    fontSize: "12px",
    padding: "4px 12px",
    borderTop: "1px solid var(--line-soft)",
    borderBottom: "1px solid var(--line-soft)",
  },
  ".cm-collapsedLines:hover": { color: "var(--ink) !important" },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: "none" },
  ".cm-specialChar": {
    color: "var(--paper)",
    background: "var(--warn)",
    borderRadius: "3px",
    padding: "0 3px",
    fontSize: "0.86em",
    margin: "0 1px",
  },
  ".cm-chunkGutter": { width: "46px" },
  "&.cm-merge-b .cm-line.cm-chunk-rejected": {
    backgroundColor: "transparent",
    textDecoration: "line-through",
    textDecorationColor: "var(--bad)",
  },
  "&.cm-merge-b .cm-chunk-rejected *": { color: "var(--dim) !important", background: "transparent !important" },
  ".cm-chunk-current": { boxShadow: "inset 2px 0 0 var(--accent)" },
});

// In the left editor a rejected chunk is what stays: it is no longer red.
const verdicts = EditorView.theme({
  "&.cm-merge-a .cm-chunk-rejected": { backgroundColor: "transparent !important" },
  "&.cm-merge-a .cm-chunk-rejected .cm-changedText": { background: "transparent !important" },
});

const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.lineComment, tags.blockComment, tags.docComment], color: "var(--syn-comment)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.controlKeyword, tags.moduleKeyword, tags.operatorKeyword, tags.modifier], color: "var(--syn-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.character], color: "var(--syn-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--syn-number)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.macroName], color: "var(--syn-function)" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.standard(tags.name)], color: "var(--syn-type)" },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: "var(--syn-property)" },
  { tag: [tags.tagName, tags.angleBracket], color: "var(--syn-keyword)" },
  { tag: [tags.meta, tags.annotation, tags.processingInstruction], color: "var(--syn-comment)" },
  { tag: tags.heading, color: "var(--syn-function)", fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.link, tags.url], color: "var(--syn-string)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

export const theme: Extension = [look, verdicts, syntaxHighlighting(colours)];
