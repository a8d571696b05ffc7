// Every key, once: what it does, in which words the help says so, and when it counts.

export interface Command {
  keys: string[];
  words: string;
  group: "Review" | "Chunks" | "View" | "Page";
  run(): void;
}

const SWITCH = "carrick-keys";

/** Single keys can be switched off: speech input types them by accident. */
export function singleKeys(on?: boolean): boolean {
  if (on !== undefined) localStorage.setItem(SWITCH, on ? "on" : "off");
  return localStorage.getItem(SWITCH) !== "off";
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const dialog = target.closest("dialog");
  // For a moment after it closes, the focus is still in it.
  if (dialog) return dialog.open;
  return target.isContentEditable || target.matches("input, textarea, select");
}

/** Listens for the whole page. A key with Ctrl, Alt or Meta is somebody else's. */
export function listen(commands: Command[], escape: () => void): void {
  const table = new Map(commands.flatMap((command) => command.keys.map((key) => [key, command] as const)));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") escape();
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isTyping(event.target)) return;
    // Space and Enter on a button press it.
    const presses = event.key === " " || event.key === "Enter";
    if (presses && event.target instanceof HTMLElement && event.target.closest("button, a, summary")) return;
    const command = table.get(event.key);
    if (!command || (!singleKeys() && event.key !== "?")) return;
    event.preventDefault();
    command.run();
  });
}
