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
    const plots = views.flatMap((view) => [...view.roots]);
    const documents = new Set(plots.map((root) => root.model.document));
    const now = () => paint(documents, dark.matches ? "dark" : "light");
    now();
    dark.addEventListener("change", now);
    // A plot keeps the width that it has on the screen: paper gets a picture of it, which fits.
    window.addEventListener("beforeprint", () => {
      paint(documents, "light");
      for (const root of plots) {
        const picture = document.createElement("img");
        picture.className = "on-paper";
        picture.alt = "";
        picture.src = root.export("png").canvas.toDataURL();
        document.getElementById(content.places[root.model.id])?.after(picture);
      }
    });
    window.addEventListener("afterprint", () => {
      for (const picture of document.querySelectorAll(".on-paper")) picture.remove();
      now();
    });
    document.documentElement.dataset.drawn = "yes";
  });
})();
