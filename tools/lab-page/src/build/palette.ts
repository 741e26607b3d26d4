// The parts that can be added, in groups, with their pictures: a dialog with a search.
import { byId, make } from "../dom.ts";
import type { TypeInfo } from "../protocol.ts";
import { pictureOf } from "./pictures.ts";

export class Palette {
  private readonly dialog = byId<HTMLDialogElement>("palette");
  private readonly search = byId<HTMLInputElement>("palette-search");
  private readonly place = byId("palette-types");
  private types: TypeInfo[] = [];

  constructor(private readonly add: (type: string) => void) {
    this.search.addEventListener("input", () => this.filter());
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.place.querySelector<HTMLButtonElement>("button:not([hidden])")?.click();
    });
    this.place.addEventListener("keydown", (event) => this.move(event));
  }

  know(types: TypeInfo[]): void {
    if (this.types.length > 0) return;
    this.types = types;
    const groups = [...new Set(types.map((type) => type.group))];
    this.place.replaceChildren(...groups.map((group) =>
      make("section", { "aria-label": group }, make("h3", {}, group),
        make("div", { class: "tiles" }, ...types.filter((type) => type.group === group).map((type) => this.tile(type))))));
  }

  open(): void {
    this.search.value = "";
    this.filter();
    this.dialog.showModal();
    this.search.focus();
  }

  private tile(type: TypeInfo): HTMLElement {
    const tile = make("button", { type: "button", class: "tile", "data-type": type.name, "aria-label": `${type.name}: ${type.about}` },
      make("span", { class: "tile-picture" }, pictureOf(type.name)), make("strong", {}, type.name), make("span", {}, type.about));
    tile.addEventListener("click", () => {
      this.dialog.close();
      this.add(type.name);
    });
    return tile;
  }

  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    for (const tile of this.place.querySelectorAll<HTMLElement>(".tile")) {
      const said = `${tile.getAttribute("aria-label")} ${tile.closest("section")!.getAttribute("aria-label")}`.toLowerCase();
      tile.hidden = !words.every((word) => said.includes(word));
    }
    for (const group of this.place.querySelectorAll<HTMLElement>("section")) {
      group.hidden = group.querySelector(".tile:not([hidden])") === null;
    }
  }

  /** Arrow keys go from tile to tile, by what is nearest on the screen. */
  private move(event: KeyboardEvent): void {
    const here = (event.target as Element).closest<HTMLElement>(".tile");
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!here || !by) return;
    event.preventDefault();
    const at = here.getBoundingClientRect();
    let [best, nearest] = [here, Infinity];
    for (const tile of this.place.querySelectorAll<HTMLElement>(".tile:not([hidden])")) {
      const box = tile.getBoundingClientRect();
      const [x, y] = [box.x - at.x, box.y - at.y];
      const [along, aside] = [x * by[0]! + y * by[1]!, Math.abs(x * by[1]!) + Math.abs(y * by[0]!)];
      if (along > 4 && along + aside * 3 < nearest) [best, nearest] = [tile, along + aside * 3];
    }
    best.focus();
  }
}
