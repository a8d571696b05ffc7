// Elements, made in one line. Text goes in as text alone: nothing here can become markup.

type Attributes = Record<string, string | boolean | ((event: Event) => void)>;
type Child = Node | string | null;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Changes text only when it differs, so that a screen reader does not hear it again. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element: HTMLElement, shown: boolean): void {
  element.hidden = !shown;
}

/** A button with words for everyone and, where there is a key for it, the key. */
export function button(label: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return make("button", { type: "button", click: action, ...attributes }, label);
}

export function key(name: string): HTMLElement {
  return make("kbd", { "aria-hidden": "true" }, name);
}

/** Puts `wanted` into `parent` in this order, moving as little as possible: the focus stays where it is. */
export function arrange(parent: Element, wanted: Element[]): void {
  const kept = new Set(wanted);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  wanted.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}
