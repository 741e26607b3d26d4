// Building: the parts of the scenario as they would be saved. Each change is made and checked by hocket; the run goes
// on with what it has until the scenario is saved.
import type { Board } from "../board.ts";
import { byId, write } from "../dom.ts";
import type { Build, Built, Catalogue, Command, Refused, Scenario, TypeInfo } from "../protocol.ts";
import type { Wires } from "../wires.ts";
import { Card } from "./card.ts";
import { pinText } from "./fields.ts";
import { Palette } from "./palette.ts";
import { Source } from "./source.ts";

export class Builder {
  private readonly toggle = byId<HTMLButtonElement>("build");
  private readonly place = byId("build-parts");
  private readonly source = new Source((to) => this.change({ change: "text", to }));
  private readonly palette = new Palette((type) => this.change({ change: "add", type }));
  private readonly cards = new Map<string, Card>();
  private types = new Map<string, TypeInfo>();
  private scenario: Scenario | null = null;
  private held: { part: string; key: string; terminal: HTMLElement } | null = null;
  private refusal = "";
  private dragged = false; // the pointer is down since it took hold of a terminal
  active = false;

  constructor(
    private readonly board: Board, private readonly wires: Wires, private readonly send: (command: Command) => void,
    private readonly left: () => void,
  ) {
    this.toggle.addEventListener("click", () => this.turn(!this.active));
    byId("build-add").addEventListener("click", () => this.palette.open());
    for (const what of ["undo", "redo", "load", "save"] as const) {
      byId(`build-${what}`).addEventListener("click", () => {
        this.source.send();
        this.change({ change: what });
      });
    }
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointermove", (event) => {
      if (this.held && event.buttons !== 0) this.wires.hang({ from: this.held.terminal, x: event.clientX, y: event.clientY });
    });
    document.addEventListener("pointerup", (event) => this.drop(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.scenario?.changed) event.preventDefault(); // the browser asks
    });
  }

  /** A run begins: what was built is saved, or another page has begun it again. With an invalid scenario: to be mended. */
  begin(invalid: boolean): void {
    this.letGo();
    if (invalid && !this.active) {
      this.turn(true);
      return;
    }
    if (this.active && this.scenario && !this.scenario.changed && !invalid) this.turn(false);
    else if (this.active) this.render(); // the board was drawn anew
  }

  take(message: Catalogue | Scenario | Refused | Built): void {
    if (message.is === "catalogue") {
      this.types = new Map(message.types.map((type) => [type.name, type]));
      this.palette.know(message.types);
      byId<HTMLButtonElement>("build-add").disabled = false;
    } else if (message.is === "built") this.cards.get(message.part)?.focus();
    else if (message.is === "refused") this.refuse(message);
    else {
      this.scenario = message;
      this.refusal = "";
      if (this.active) this.render();
    }
  }

  private turn(on: boolean): void {
    this.active = on;
    this.letGo();
    this.toggle.setAttribute("aria-pressed", String(on));
    write(this.toggle, on ? "Done" : "Build");
    this.toggle.title = on ? "back to the run; changes that are not saved stay" : "add, wire and change parts";
    document.body.classList.toggle("building", on);
    for (const id of ["build-bar", "build-parts", "build-source"]) byId(id).hidden = !on;
    for (const id of ["parts", "stages"]) byId(id).hidden = on;
    if (on) {
      byId("no-parts").hidden = true;
      this.send({ do: "pause" });
      this.change({ change: "begin" });
      return;
    }
    this.source.hide();
    byId("build-hint").hidden = true;
    this.cards.clear();
    this.place.replaceChildren();
    this.left();
  }

  private change(what: Build): void {
    this.send({ do: "build", ...what });
  }

  private render(): void {
    const { scenario } = this;
    if (!scenario) return;
    const names = new Set(scenario.parts.map((part) => part.name));
    for (const [name, card] of this.cards) {
      if (names.has(name)) continue;
      const next = card.element.nextElementSibling ?? card.element.previousElementSibling;
      const held = card.element.contains(document.activeElement);
      card.element.remove();
      this.cards.delete(name);
      // The keyboard stays where it was.
      if (held) (next?.querySelector<HTMLElement>(".remove") ?? byId("build-add")).focus();
    }
    scenario.parts.forEach((part, i) => {
      let card = this.cards.get(part.name);
      if (card && card.element.dataset["type"] !== part.type) {
        card.element.remove();
        card = undefined;
      }
      if (!card) {
        card = new Card(part, this.types.get(part.type), {
          pins: this.board.pins,
          buses: this.board.buses,
          change: (what) => this.change(what),
          grab: (name, key, terminal, event) => this.grab(name, key, terminal, event),
        });
        card.element.dataset["type"] = part.type;
        this.cards.set(part.name, card);
      } else card.update(part);
      if (this.place.children[i] !== card.element) this.place.insertBefore(card.element, this.place.children[i] ?? null);
    });
    this.bar(scenario);
    this.wires.show([...this.cards.values()].flatMap((card) => card.terminals));
  }

  private bar(scenario: Scenario): void {
    const wrong = scenario.problems.length + scenario.parts.reduce((sum, part) => sum + part.problems.length, 0);
    byId<HTMLButtonElement>("build-undo").disabled = !scenario.undo;
    byId<HTMLButtonElement>("build-redo").disabled = !scenario.redo;
    byId<HTMLButtonElement>("build-save").disabled = !scenario.changed || wrong > 0;
    const state = wrong > 0 ? `${wrong} to mend before it can be saved` : scenario.changed ? "not saved" : "as saved";
    write(byId("build-state"), `${scenario.file}: ${state}`);
    byId("build-hint").hidden = scenario.parts.length > 0 || scenario.problems.length > 0;
    this.source.show(scenario, this.refusal);
  }

  private refuse({ part, key, text }: Refused): void {
    const card = part === null ? undefined : this.cards.get(part);
    if (card) card.refuse(key, text);
    else {
      this.refusal = text;
      if (this.scenario) this.bar(this.scenario);
    }
  }

  // --- Wiring by hand: a terminal is held, then a pin is chosen ---

  private grab(part: string, key: string, terminal: HTMLElement, event: PointerEvent | null): void {
    const again = this.held?.terminal === terminal;
    this.letGo();
    if (again) return;
    event?.preventDefault();
    this.held = { part, key, terminal };
    this.dragged = event !== null;
    terminal.setAttribute("aria-pressed", "true");
    this.board.choose((pin) => this.plug(pin));
    const before = this.scenario?.parts.find((one) => one.name === part)?.pins[key];
    if (!event) this.board.focus(before ?? this.board.pins[0]?.pin ?? 0);
  }

  private plug(number: number): void {
    const pin = this.board.pins.find((one) => one.pin === number);
    const { held } = this;
    this.letGo();
    const card = held && this.cards.get(held.part);
    if (!pin || !held || !card) return;
    this.change(card.wiring(held.key, pinText(pin)));
    card.element.querySelector<HTMLElement>(`[data-terminal="${held.key}"]`)?.focus();
  }

  private drop(event: PointerEvent): void {
    if (!this.held) return;
    const dragged = this.dragged;
    this.dragged = false;
    this.wires.hang(null);
    const over = document.elementFromPoint(event.clientX, event.clientY);
    const mark = over?.closest<SVGElement>(".pin-mark");
    // A press at a pin is a click as well, and chooses it; a wire that was dragged there is none.
    if (mark && dragged) this.plug(Number(mark.dataset["pin"]));
    else if (!mark && over?.closest(".terminal") !== this.held.terminal) this.letGo();
  }

  private letGo(): void {
    this.held?.terminal.setAttribute("aria-pressed", "false");
    this.held = null;
    this.wires.hang(null);
    this.board.choose(null);
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.held) {
      const { terminal } = this.held;
      this.letGo();
      terminal.focus();
    }
    if (!this.active || !(event.ctrlKey || event.metaKey) || (event.target as Element).matches("input:not([type=radio])")) return;
    const typing = (event.target as Element).matches("textarea"); // its own undo
    if (!typing && (event.key === "z" || event.key === "Z")) this.change({ change: event.shiftKey ? "redo" : "undo" });
    else if (event.key === "s") {
      this.source.send();
      this.change({ change: "save" });
    }
    else return;
    event.preventDefault();
  }
}
