// The table of loops: what each may use, has used, and how late it was.
import { byId, make, write } from "../dom.ts";
import type { History, LoopHistory } from "../history.ts";
import type { Hello } from "../protocol.ts";
import { loopName } from "../timeline/lanes.ts";
import { duration, roughly } from "../times.ts";

interface Row {
  meter: HTMLMeterElement;
  used: HTMLElement;
  response: HTMLElement;
  missed: HTMLElement;
  row: HTMLTableRowElement;
}

export class LoopsPane {
  private readonly body = byId("loops-body");
  private readonly rows = new Map<number, Row>();

  begin(hello: Hello): void {
    this.rows.clear();
    this.body.replaceChildren(
      ...hello.loops.map((loop, index) => {
        const name = loopName(loop.kind, loop.id);
        const cells = {
          meter: make("meter", { min: 0, max: loop.budget, value: 0, "aria-label": `budget used by ${name}` }),
          used: make("span", { class: "figure" }),
          response: make("td", { class: "figure" }),
          missed: make("td", { class: "figure" }, "–"),
        };
        const row = make("tr", { "data-loop": loop.id },
          make("th", { scope: "row" }, make("i", { class: `swatch loop-${(index % 8) + 1}` }), name),
          make("td", { class: "figure" }, String(loop.core)),
          make("td", { class: "figure" }, share(loop.budget, loop.period, loop.deadline)),
          make("td", {}, cells.meter, cells.used),
          cells.response,
          cells.missed);
        this.rows.set(loop.id, { ...cells, row });
        return row;
      }),
    );
  }

  show(history: History): void {
    for (const [id, row] of this.rows) {
      const loop = history.loops.get(id);
      if (!loop) continue;
      const used = Math.max(0, Math.round(history.used(id, history.now)));
      row.meter.value = used;
      write(row.used, roughly(used));
      write(row.response, response(loop));
      write(row.missed, loop.misses === null ? "–" : String(loop.misses));
      row.row.classList.toggle("late", (loop.misses ?? 0) > 0);
    }
  }
}

/** `70/100 ms`, `300 us/1 s`, and a deadline that is shorter than its period: `1/20 ms, D 5 ms`. */
export function share(budget: number, period: number, deadline: number): string {
  const [c, t] = [duration(budget), duration(period)];
  const [amount, unit] = c.split(" ");
  const reserved = t.endsWith(` ${unit}`) ? `${amount}/${t}` : `${c}/${t}`;
  return deadline < period ? `${reserved}, D ${duration(deadline)}` : reserved;
}

function response(loop: LoopHistory): string {
  const { bound } = loop.info;
  const limit = bound === null ? "no bound" : roughly(bound);
  return `${loop.response === null ? "–" : roughly(loop.response)} (${limit})`;
}
