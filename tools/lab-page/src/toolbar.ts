// The bar at the top: what runs, its clock, and what can be done with its time.
import { byId, write } from "./dom.ts";
import type { Command, End, Frame, Hello, RunState } from "./protocol.ts";
import { clock, instant, parseTime } from "./times.ts";

export class Toolbar {
  private readonly go = byId<HTMLButtonElement>("go");
  private readonly step = byId<HTMLButtonElement>("step");
  private readonly speed = byId<HTMLSelectElement>("speed");
  private readonly until = byId<HTMLInputElement>("until");
  private readonly clock = byId("clock");
  private readonly state = byId("state");
  private running = false;
  private over = false;

  constructor(private readonly send: (command: Command) => void) {
    this.go.addEventListener("click", () => this.toggle());
    this.step.addEventListener("click", () => this.next());
    this.speed.addEventListener("change", () => send({ do: "speed", times: Number(this.speed.value) }));
    byId("until-form").addEventListener("submit", (event) => this.runUntil(event));
    byId("again").addEventListener("click", () => send({ do: "again" }));
    byId("afresh").addEventListener("click", () => send({ do: "again", touched: false }));
    byId("save").addEventListener("click", () => send({ do: "save" }));
    byId("end").addEventListener("click", () => send({ do: "end" }));
    this.until.addEventListener("input", () => this.until.setCustomValidity(""));
  }

  begin(hello: Hello): void {
    this.over = false;
    write(byId("sketch"), hello.sketch);
    const facts = [
      hello.board, `${hello.cores} core${hello.cores === 1 ? "" : "s"}`, `seed ${hello.seed}`,
      ...(hello.policy ? [hello.policy] : []),
    ];
    write(byId("facts"), facts.join(" · "));
    document.title = `${hello.sketch} · hocket lab`;
  }

  show({ now, state, speed, pace }: Frame): void {
    this.running = state === "running";
    write(this.clock, clock(now));
    this.clock.title = instant(now);
    this.clock.dataset["ns"] = String(now);
    this.tell(state, state === "running" && pace !== null ? `running, ${Number(pace.toPrecision(2))} ×` : state);
    write(this.go, this.running ? "Pause" : "Run");
    this.go.setAttribute("aria-pressed", String(this.running));
    this.over = state === "ended";
    for (const button of [this.go, this.step]) button.disabled = this.over;
    if (document.activeElement !== this.speed) this.showSpeed(speed);
  }

  ended(end: End): void {
    this.over = true;
    this.running = false;
    this.tell("ended", `ended: ${end.end || "done"}, exit status ${end.status}`);
    for (const button of [this.go, this.step]) button.disabled = true;
  }

  lost(why: string): void {
    this.over = true;
    this.tell("ended", why);
    for (const id of ["go", "step", "again", "afresh", "save", "end"]) byId<HTMLButtonElement>(id).disabled = true;
  }

  toggle(): void {
    if (!this.over) this.send({ do: this.running ? "pause" : "run" });
  }

  next(): void {
    if (!this.over) this.send({ do: "step" });
  }

  private tell(state: RunState, words: string = state): void {
    this.state.dataset["state"] = state;
    write(this.state, words);
  }

  private showSpeed(speed: number): void {
    const known = [...this.speed.options].some((option) => Number(option.value) === speed);
    if (!known) this.speed.add(new Option(`${speed} ×`, String(speed)));
    this.speed.value = [...this.speed.options].find((option) => Number(option.value) === speed)!.value;
  }

  private runUntil(event: Event): void {
    event.preventDefault();
    const at = parseTime(this.until.value);
    if (at === null) {
      this.until.setCustomValidity("A time of the board, such as 1.5 s, 20 ms or 300 us.");
      this.until.reportValidity();
      return;
    }
    this.send({ do: "until", at });
  }
}
