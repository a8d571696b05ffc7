// Text from files, names and agents, made fit to be looked at; and numbers in the words of people.

/** Characters that a page would obey or hide: controls, marks that turn the direction of writing, no width at all. */
const HARMFUL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** One line with everything harmful shown as what it is. */
export function visible(text: string): string {
  return text.replace(HARMFUL, picture).replace(/\n/g, "\u240a");
}

/** Text of several lines. */
export function visibleLines(text: string): string {
  return text.replace(HARMFUL, picture);
}

/** The same number of characters with nothing harmful in it: places in it are places in the text. */
export function harmless(text: string): string {
  return text.replace(HARMFUL, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\u25a1".repeat(character.length);
  });
}

export interface Name {
  folder: string;
  file: string;
}

/** A path as it is read from the workspace, its last part apart. */
export function nameOf(path: string, root: string): Name {
  const inside = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const slash = inside.lastIndexOf("/") + 1;
  return { folder: visible(inside.slice(0, slash)), file: visible(inside.slice(slash)) };
}

/** How long ago. */
export function age(then: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - then) / 1000));
  if (seconds < 10) return "now";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

export function time(at: number): string {
  const date = new Date(at);
  const two = (part: number, digits = 2): string => String(part).padStart(digits, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${two(date.getMilliseconds(), 3)}`;
}
