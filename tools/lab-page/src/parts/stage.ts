// The stage of a vehicle (motors): a view from above with its way, and the obstacle, which can be dragged.
import { make, svg, write } from "../dom.ts";
import type { Control } from "../protocol.ts";
import { calmly, numberBox } from "./controls.ts";
import { numberOf, type Draw } from "./part.ts";
import { floor, fromScreen, gridStep, onScreen, type Floor, type Place } from "./stage_geometry.ts";

const [HEIGHT, KEPT] = [132, 600];

export const stage: Draw = ({ part, touch, control }) => {
  const wallControl = control("obstacle_cm");
  const picture = svg("svg", { role: "img", "aria-label": `${part.name}: the vehicle from above` });
  const says = make("span", { class: "says", "aria-label": `${part.name}: place` });
  const scene = new Scene(picture, part.name, wallControl, (to) => touch("obstacle_cm", to));
  const box = wallControl && numberBox(part.name, wallControl, (to) => touch("obstacle_cm", to));
  return {
    drawing: make("div", { class: "stage" },
      make("div", { class: "top" }, make("h3", {}, part.name), says, make("span", { class: "gap" }),
        box ? make("label", {}, "wall in ", box.element, " cm") : null),
      picture),
    wide: true,
    takes: ["obstacle_cm"],
    show(facts) {
      const place: Place = {
        x: numberOf(facts, "x_cm") ?? 0,
        y: numberOf(facts, "y_cm") ?? 0,
        heading: numberOf(facts, "heading_deg") ?? 0,
      };
      const ahead = numberOf(facts, "obstacle_cm"); // as seen from the vehicle
      scene.draw(place, ahead);
      box?.show(ahead);
      const words = [`x ${place.x.toFixed(1)} cm`, `y ${place.y.toFixed(1)} cm`, `${place.heading.toFixed(0)}°`];
      if (facts["collided"] === true) words.push("has hit the wall");
      write(says, words.join(" · "));
    },
  };
};

class Scene {
  private floor: Floor | null = null;
  private way: [number, number][] = [];
  private ahead: number | null = null;
  private x = 0; // of the vehicle
  private readonly lines = svg("g", { class: "lines" });
  private readonly path = svg("polyline", { class: "way" });
  private readonly beam = svg("path", { class: "beam", d: "M0 0L300 -80A310 310 0 0 1 300 80Z" });
  private readonly body = svg("g", {},
    svg("rect", { class: "wheel", x: -8, y: -9, width: 10, height: 3 }),
    svg("rect", { class: "wheel", x: -8, y: 6, width: 10, height: 3 }),
    svg("rect", { class: "body", x: -11, y: -6.5, width: 22, height: 13, rx: 3 }),
    svg("path", { class: "nose", d: "M4 -4L9 0L4 4Z" }));
  private readonly obstacle: SVGRectElement;

  constructor(
    private readonly picture: SVGSVGElement,
    name: string,
    control: Control | null,
    move: (to: number) => void,
  ) {
    this.obstacle = svg("rect", { class: control ? "wall" : "wall fixed", width: 7, height: HEIGHT, y: 0, rx: 2 });
    picture.append(svg("rect", { class: "floor", width: "100%", height: "100%" }), this.lines, this.path, this.beam,
      this.body, this.obstacle);
    if (control) this.movable(name, control, calmly(move));
  }

  /** ahead: how far the wall is along the x axis; null: there is none. */
  draw(place: Place, ahead: number | null): void {
    const wall = ahead === null ? null : place.x + ahead;
    const width = this.picture.clientWidth || 400;
    const before = this.floor;
    this.ahead = ahead;
    this.x = place.x;
    this.floor = floor(place, wall, width, HEIGHT, before);
    if (this.floor !== before) this.grid();
    const [x, y] = onScreen(this.floor, HEIGHT, place.x, place.y);
    const turn = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${(-place.heading).toFixed(1)})`;
    this.body.setAttribute("transform", turn);
    this.beam.setAttribute("transform", turn);
    this.remember(place);
    const shown = this.way.map(([a, b]) => onScreen(this.floor!, HEIGHT, a, b).map((v) => v.toFixed(1)).join(","));
    this.path.setAttribute("points", shown.join(" "));
    this.obstacle.toggleAttribute("hidden", wall === null);
    if (wall === null || ahead === null) return;
    this.obstacle.setAttribute("x", (onScreen(this.floor, HEIGHT, wall, 0)[0]).toFixed(1));
    this.obstacle.setAttribute("aria-valuenow", String(Math.round(ahead)));
  }

  private remember(place: Place): void {
    const last = this.way[this.way.length - 1];
    if (last && Math.hypot(last[0] - place.x, last[1] - place.y) < 1) return;
    this.way.push([place.x, place.y]);
    if (this.way.length > KEPT) this.way.splice(0, KEPT / 4);
  }

  private grid(): void {
    const of = this.floor!;
    const size = gridStep(of);
    this.lines.replaceChildren();
    for (let at = Math.ceil(of.left / size) * size; at <= of.right; at += size) {
      const [x] = onScreen(of, HEIGHT, at, 0);
      this.lines.append(svg("line", { x1: x, x2: x, y1: 0, y2: HEIGHT }),
        svg("text", { class: "scale", x: x + 3, y: HEIGHT - 4, stroke: "none" }, `${at} cm`));
    }
    const [, y] = onScreen(of, HEIGHT, 0, 0);
    this.lines.append(svg("line", { x1: 0, x2: "100%", y1: y, y2: y }));
  }

  /** By the pointer, and by the arrow keys: a slider that looks like a wall. */
  private movable(name: string, control: Control, move: (to: number) => void): void {
    const wall = this.obstacle;
    const [least, most] = [control.least ?? 0, control.most ?? 1000];
    for (const [attribute, value] of Object.entries({
      role: "slider", tabindex: "0", "aria-label": `${name}: obstacle`,
      "aria-valuemin": String(least), "aria-valuemax": String(most),
    })) wall.setAttribute(attribute, value);
    const to = (cm: number): void => move(Math.round(Math.min(most, Math.max(least, cm)) * 10) / 10);
    let held = false;
    wall.addEventListener("pointerdown", (event) => {
      held = true;
      wall.setPointerCapture(event.pointerId);
    });
    wall.addEventListener("pointermove", (event) => {
      if (!held || !this.floor) return;
      to(fromScreen(this.floor, event.clientX - this.picture.getBoundingClientRect().left) - this.x);
    });
    for (const name of ["pointerup", "pointercancel"]) wall.addEventListener(name, () => (held = false));
    wall.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 50, PageDown: -50 }[event.key];
      if (by === undefined || this.ahead === null) return;
      event.preventDefault();
      to(this.ahead + by);
    });
  }
}
