// The help: every key with its words, from the same table that the keys are read from.

import { button, key, make } from "../dom";
import { type Command, singleKeys } from "../keys";

const NAMES: Record<string, string> = { " ": "Space", ArrowDown: "\u2193", ArrowUp: "\u2191" };

export function help(commands: Command[]): HTMLDialogElement {
  const groups = [...new Set(commands.map((command) => command.group))].map((group) =>
    make(
      "section",
      {},
      make("h3", {}, group),
      make("dl", {}, ...commands.filter((command) => command.group === group).map(row)),
    ),
  );
  const box = make("input", { type: "checkbox", id: "single-keys", change: () => singleKeys(box.checked) });
  box.checked = singleKeys();
  const dialog: HTMLDialogElement = make(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    make("header", {}, make("h2", { id: "help-title" }, "Keys"), button("Close", () => dialog.close())),
    make("div", { class: "groups" }, ...groups),
    make("p", { class: "switch" }, box, make("label", { for: "single-keys" }, "Single keys are on")),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

function row(command: Command): HTMLElement {
  const names = command.keys.map((name) => key(NAMES[name] ?? name));
  return make(
    "div",
    {},
    make("dt", {}, ...names, make("span", { class: "unseen" }, command.keys.map((name) => NAMES[name] ?? name).join(" or "))),
    make("dd", {}, command.words),
  );
}
