// Telling a person who looks elsewhere: the number in the tab's title, and a notification if they want one.

import { make } from "../dom";
import { nameOf, visible } from "../text";
import type { ReviewLine, Snapshot } from "../types";

const SWITCH = "carrick-notify";

export class Notify {
  private seen = new Set<string>();
  private first = true;
  readonly button = make("button", {
    type: "button",
    class: "quiet",
    click: () => void this.toggle(),
  });

  constructor() {
    if (!("Notification" in window)) this.button.hidden = true;
    this.show();
  }

  update(snapshot: Snapshot, choose: (id: number) => void): void {
    const waiting = snapshot.reviews.filter((line) => line.outcome === null);
    const name = visible(snapshot.root.slice(snapshot.root.lastIndexOf("/") + 1)) || "carrick";
    const title = waiting.length > 0 ? `(${waiting.length}) ${name} \u2013 carrick` : `${name} \u2013 carrick`;
    if (document.title !== title) document.title = title;
    const word = (line: ReviewLine): string => `${snapshot.run}/${line.id}`;
    const fresh = this.first ? [] : waiting.filter((line) => !this.seen.has(word(line)));
    this.seen = new Set(snapshot.reviews.map(word));
    this.first = false;
    if (this.on && document.hidden) for (const line of fresh) tell(line, snapshot.root, choose);
  }

  private get on(): boolean {
    return localStorage.getItem(SWITCH) === "on" && "Notification" in window && Notification.permission === "granted";
  }

  private async toggle(): Promise<void> {
    const wanted = !this.on && (await Notification.requestPermission()) === "granted";
    localStorage.setItem(SWITCH, wanted ? "on" : "off");
    this.show();
  }

  private show(): void {
    this.button.textContent = this.on ? "Notifying" : "Notify me";
    this.button.setAttribute("aria-pressed", String(this.on));
    this.button.title = "A desktop notification when a change waits and this page is not in front";
  }
}

function tell(line: ReviewLine, root: string, choose: (id: number) => void): void {
  const { folder, file } = nameOf(line.path, root);
  const body = `${visible(line.clientName)} proposes a change: +${line.added} \u2212${line.removed}`;
  const notification = new Notification(`${folder}${file}`, { body, tag: `carrick-${line.id}` });
  notification.addEventListener("click", () => {
    window.focus();
    choose(line.id);
    notification.close();
  });
}
