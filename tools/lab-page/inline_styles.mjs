// Takes the style attributes out of the drawn parts, so that the page's Content-Security-Policy can be 'self' alone.
//
// A browser that obeys that policy ignores style="…" in a template. The drawings are SVG, where nearly every such
// property can stand as an attribute of its own: style="fill:none;stroke:#fff" becomes fill="none" stroke="#fff".
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const WITHOUT_ATTRIBUTE = new Set(["line-height"]);

/** `fill:none;stroke:#fff` → `fill="none" stroke="#fff"`; places for values (`${…}`) stay what they are. */
export function attributes(style) {
  return style
    .split(/;(?![^$]*\}['"]?$)/)
    .map((property) => property.trim())
    .filter((property) => property !== "")
    .map((property) => {
      const colon = property.indexOf(":");
      return [property.slice(0, colon).trim(), property.slice(colon + 1).trim()];
    })
    .filter(([name]) => !WITHOUT_ATTRIBUTE.has(name))
    .map(([name, value]) => `${name}="${value}"`)
    .join(" ");
}

/** The text of a module with its templates' style attributes rewritten. */
export function rewritten(text) {
  return text.replace(/\bstyle="((?:\$\{[^}]*\}|[^"])*)"/g, (whole, style) =>
    style.startsWith("${") ? whole : attributes(style),
  );
}

export function withoutInlineStyles(folder) {
  return {
    name: "without-inline-styles",
    setup(build) {
      build.onLoad({ filter: /@wokwi[\\/]elements[\\/].*\.js$/ }, async ({ path }) => ({
        contents: rewritten(await readFile(path, "utf8")),
        loader: "js",
      }));
      // Lit's own sets the attribute at first, which the policy forbids as well.
      build.onResolve({ filter: /^lit\/directives\/style-map\.js$/ }, () => ({
        path: join(folder, "src/parts/style_map.ts"),
      }));
    },
  };
}
