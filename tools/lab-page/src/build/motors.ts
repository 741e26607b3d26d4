// The vehicle of a pair of motors, from above.
import { svg } from "../dom.ts";

export function motorsPicture(): SVGElement {
  const wheel = (x: number, y: number): SVGElement => svg("rect", { x, y, width: 22, height: 9, rx: 2, fill: "#23282e" });
  return svg("svg", { viewBox: "0 0 90 60", width: 90, height: 60, class: "module", "aria-hidden": "true" },
    wheel(20, 4), wheel(20, 47), svg("rect", { x: 10, y: 12, width: 64, height: 36, rx: 8, fill: "#1d5fa8" }),
    svg("path", { d: "M74 22L84 30 74 38Z", fill: "#dd8a1c" }));
}
