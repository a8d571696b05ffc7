// The status corner: one line that is always there, and what is behind it when somebody wants to know.

import type { Health } from "../connection";
import { make, say, show } from "../dom";
import { age, count, nameOf, visible } from "../text";
import type { Selection, Snapshot } from "../types";

const HEALTH: Record<Health, string> = {
  connected: "Connected",
  lost: "Connection lost",
  refused: "A fresh link is needed",
};

export class Status {
  private readonly health = make("span", { class: "health" });
  private readonly clients = make("span", {});
  private readonly selection = make("span", { class: "selection" });
  private readonly trouble = make("span", { class: "trouble" });
  private readonly details = make("dl", {});
  private readonly panel = make("div", { class: "details", id: "status-details", hidden: true }, this.details);
  private readonly button = make(
    "button",
    {
      type: "button",
      class: "corner",
      "aria-expanded": "false",
      "aria-controls": "status-details",
      click: () => this.toggle(),
    },
    this.health,
    this.clients,
    this.selection,
    this.trouble,
  );

  readonly element = make("footer", { class: "status", "aria-label": "Status" }, this.panel, this.button);

  toggle(open = this.panel.hidden !== false): void {
    show(this.panel, open);
    this.button.setAttribute("aria-expanded", String(open));
  }

  update(snapshot: Snapshot | null, health: Health, now: number): void {
    this.element.dataset["health"] = health;
    say(this.health, HEALTH[health]);
    if (!snapshot) return;
    say(this.clients, snapshot.clients.length === 0 ? "no agent" : count(snapshot.clients.length, "agent"));
    say(this.selection, snapshot.selection ? place(snapshot.selection, snapshot.root) : "nothing selected");
    say(this.trouble, snapshot.trouble ? visible(snapshot.trouble.words) : "");
    show(this.trouble, snapshot.trouble !== null);
    if (!this.panel.hidden || this.details.childElementCount === 0) this.fill(snapshot, now);
  }

  private fill(snapshot: Snapshot, now: number): void {
    const clients = snapshot.clients.map((client) => {
      const words = [`client ${client.id}`, client.pid === null ? "" : `process ${client.pid}`, `for ${age(client.since, now)}`];
      if (!client.ready) words.push("greeting");
      if (!client.responsive) words.push("does not answer");
      return `${visible(client.name)} (${words.filter(Boolean).join(", ")})`;
    });
    const selected = snapshot.selection;
    const rows: [string, string[]][] = [
      ["Agents", clients.length > 0 ? clients : ["none is connected; type claude --ide in the workspace"]],
      ["Selection", [selected ? `${place(selected, snapshot.root)} (${count(selected.characters, "character")})` : "nothing"]],
      ["Workspace", snapshot.folders.map(visible)],
      ["Lock file", [visible(snapshot.lockFile)]],
      ["Last error", [snapshot.trouble ? `${visible(snapshot.trouble.words)} (${age(snapshot.trouble.at, now)} ago)` : "none"]],
      ["carrick", [`${snapshot.version}, process ${snapshot.pid}`]],
    ];
    this.details.replaceChildren(
      ...rows.flatMap(([term, words]) => [make("dt", {}, term), ...words.map((text) => make("dd", {}, text))]),
    );
  }
}

function place(selection: Selection, root: string): string {
  const { file } = nameOf(selection.path, root);
  const [first, last] = [selection.start[0] + 1, selection.end[0] + 1];
  return `${file}:${first === last ? first : `${first}\u2013${last}`}`;
}
