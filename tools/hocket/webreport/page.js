// Puts the plots in their places and gives them the colours of light or dark. Loads nothing.
"use strict";
(() => {
  const content = JSON.parse(document.getElementById("plots").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const inks = { light: ["#1b2330", "#8a94a3"], dark: ["#e6eaf0", "#7d8797"] };
  const items = [{ docid: "run", roots: content.places, root_ids: Object.keys(content.places) }];

  function paint(documents, name) {
    const other = name === "dark" ? "light" : "dark";
    for (const each of documents) {
      for (const model of each.all_models) {
        for (const property of model) {
          if (!/color$/.test(property.attr) || property.is_unset) continue;
          const value = property.get_value();
          const inside = value !== null && typeof value === "object" && "value" in value;
          const place = inks[other].indexOf(inside ? value.value : value);
          if (place < 0) continue;
          const ink = inks[name][place];
          model.setv({ [property.attr]: inside ? { value: ink } : ink });
        }
      }
    }
  }

  Bokeh.embed.embed_items(content.documents, items).then((views) => {
    const documents = new Set(views.flatMap((view) => [...view.roots]).map((root) => root.model.document));
    const now = () => paint(documents, dark.matches ? "dark" : "light");
    now();
    dark.addEventListener("change", now);
    window.addEventListener("beforeprint", () => paint(documents, "light"));
    window.addEventListener("afterprint", now);
    document.documentElement.dataset.drawn = "yes";
  });
})();
