// Makes elements of the page: name, attributes, what is inside.

type Inside = Node | string | null;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number | boolean> = {},
  ...inside: Inside[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  set(element, attributes);
  element.append(...inside.filter((one): one is Node | string => one !== null));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number | boolean> = {},
  ...inside: Inside[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  set(element, attributes);
  element.append(...inside.filter((one): one is Node | string => one !== null));
  return element;
}

function set(element: Element, attributes: Record<string, string | number | boolean>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
}

/** An element that stands in index.html. */
export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found as Type;
}

/** Text that changes often: written only where it differs. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A function that draws with the browser's next frame: once, however often it is called until then. */
export function oncePerFrame(draw: () => void): () => void {
  let wanted = false;
  return () => {
    if (wanted) return;
    wanted = true;
    requestAnimationFrame(() => {
      wanted = false;
      draw();
    });
  };
}
