// Displays: points (SSD1306), characters (HD44780), coloured lights (WS2812).
import "@wokwi/elements/dist/esm/lcd1602-element.js";
import { fontA00 } from "@wokwi/elements/dist/esm/lcd1602-font-a00.js";
import { make, svg, write } from "../dom.ts";
import { lcdBytes, ownFont } from "./lcd_bytes.ts";
import { numberOf, type Draw } from "./part.ts";
import { points } from "./rows.ts";
import { drawn } from "./simple.ts";

export const oled: Draw = ({ part }) => {
  const glass = make("canvas", { width: 128, height: 64, role: "img", "aria-label": `${part.name}: picture` });
  let shown = "";
  return {
    drawing: make("div", { class: "glass" }, glass),
    wide: true,
    show(facts) {
      const picture = points(facts["rows"]);
      const key = JSON.stringify([facts["rows"], facts["on"]]);
      if (!picture || key === shown) return;
      shown = key;
      glass.width = picture.width;
      glass.height = picture.height;
      const lit = picture.lit.filter(Boolean).length;
      glass.setAttribute("aria-label", `${part.name}: picture, ${lit} points lit`);
      const pen = glass.getContext("2d");
      if (!pen) return;
      const image = pen.createImageData(picture.width, picture.height);
      picture.lit.forEach((on, i) => image.data.set(on ? [190, 230, 255, 255] : [12, 17, 22, 255], i * 4));
      pen.putImageData(image, 0, 0);
    },
  };
};

export const characters: Draw = ({ part }) => {
  const glass = drawn("lcd1602", { screenOnly: true, background: "green" });
  const text = make("pre", { class: "unseen", "aria-label": `${part.name}: text` });
  return {
    drawing: make("div", { class: "lcd" }, glass, text),
    wide: true,
    show(facts) {
      const rows = textRows(facts["rows"]);
      if (rows === null) return;
      write(text, rows.map((row) => row.trimEnd()).join("\n"));
      const columns = numberOf(facts, "columns") ?? Math.max(16, ...rows.map((row) => [...row].length));
      glass["numCols"] = columns;
      glass["numRows"] = rows.length;
      glass["font"] = ownFont(fontA00, facts["defined"]);
      glass["characters"] = lcdBytes(rows, columns);
      glass["backlight"] = facts["on"] !== false;
    },
  };
};

function textRows(value: unknown): string[] | null {
  return Array.isArray(value) && value.length > 0 ? value.map(String) : null;
}

export const lights: Draw = ({ part }) => {
  const strip = make("div", { class: "strip", role: "img", "aria-label": `${part.name}: lights` });
  return {
    drawing: strip,
    wide: true,
    show(facts) {
      const colours = facts["colours"];
      const list = typeof colours === "string" ? colours.split(/\s+/) : Array.isArray(colours) ? colours : [];
      while (strip.childElementCount < Math.min(list.length, 300)) {
        strip.append(svg("svg", { viewBox: "0 0 18 18" }, svg("rect", { width: 18, height: 18, rx: 4, fill: "#111" }),
          svg("circle", { cx: 9, cy: 9, r: 6 })));
      }
      [...strip.children].forEach((light, i) => {
        const colour = String(list[i] ?? "000000").replace(/[^0-9a-fA-F]/g, "").slice(0, 6).padEnd(6, "0");
        light.querySelector("circle")!.setAttribute("fill", `#${colour}`);
      });
      const lit = list.filter((one) => !/^#?0*$/.test(String(one))).length;
      strip.setAttribute("aria-label", `${part.name}: lights, ${lit} of ${list.length} lit`);
    },
  };
};
