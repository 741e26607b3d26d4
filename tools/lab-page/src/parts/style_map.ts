// Lit's styleMap for the drawn parts, without the style attribute that the page's policy forbids: properties are
// set on the element.
import { noChange } from "lit";
import { Directive, directive, type ElementPart } from "lit/directive.js";

class StyleMap extends Directive {
  render(_styles: Record<string, string>): unknown {
    return noChange;
  }

  override update(part: unknown, [styles]: [Record<string, string>]): unknown {
    const { style } = (part as ElementPart).element as HTMLElement;
    for (const [name, value] of Object.entries(styles)) {
      style.setProperty(name.startsWith("--") ? name : name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`), value);
    }
    return noChange;
  }
}

export const styleMap = directive(StyleMap);
