// The plotter: numbers that the sketch prints, over the board's time.
import uPlot from "uplot";
import { colours } from "../colours.ts";
import { byId, oncePerFrame } from "../dom.ts";
import type { Frame } from "../protocol.ts";
import { Lines } from "./lines.ts";
import { Series } from "./series.ts";
import { values } from "./values.ts";

const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]]; // so that lines are told apart without colour

export class PlotterPane {
  private readonly place = byId("plot");
  private readonly series = new Series();
  private readonly lines = new Map<number, Lines>();
  private plot: uPlot | null = null;
  private anew = false;
  private readonly drawSoon = oncePerFrame(() => this.draw());

  constructor() {
    new ResizeObserver(() => this.redraw()).observe(this.place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.anew = true;
      this.redraw();
    });
    byId("plot-clear").addEventListener("click", () => this.clear());
  }

  clear(): void {
    this.series.clear();
    this.lines.clear();
    this.plot?.destroy();
    this.plot = null;
    this.place.classList.remove("drawn");
  }

  take(serial: Frame["serial"]): void {
    let changed = false;
    for (const piece of serial) {
      let lines = this.lines.get(piece.port);
      if (!lines) this.lines.set(piece.port, (lines = new Lines()));
      for (const line of lines.take(piece.text, piece.at)) {
        if (!line.whole) continue;
        const found = values(line.text);
        changed ||= found.length > 0;
        this.anew = this.series.add(line.at, found) || this.anew;
      }
    }
    if (changed) this.redraw();
  }

  private redraw(): void {
    if (this.series.names.length > 0) this.drawSoon();
  }

  private draw(): void {
    const [width, height] = [this.place.clientWidth, this.place.clientHeight];
    if (width < 40 || height < 60) return;
    if (this.plot && !this.anew) this.plot.setData(this.series.data() as uPlot.AlignedData);
    else {
      this.plot?.destroy();
      this.anew = false;
      this.place.classList.add("drawn");
      this.plot = new uPlot(options(this.series.names, width, height), this.series.data() as uPlot.AlignedData, this.place);
    }
    // The legend takes as many lines as its names need, up to a third of the place; the curves have the rest.
    const legend = this.place.querySelector<HTMLElement>(".u-legend");
    if (legend) legend.style.maxHeight = `${Math.max(22, Math.floor(height / 3))}px`;
    const room = Math.max(60, height - (legend?.offsetHeight ?? 0));
    if (this.plot.width !== width || this.plot.height !== room) this.plot.setSize({ width, height: room });
  }
}

function options(names: string[], width: number, height: number): uPlot.Options {
  const of = colours();
  const axis = {
    stroke: of.quiet,
    font: "11px system-ui, sans-serif",
    grid: { stroke: of.line, width: 1 },
    ticks: { stroke: of.line, width: 1 },
  };
  return {
    width,
    height,
    padding: [8, 12, 0, 0],
    scales: { x: { time: false } },
    axes: [
      { ...axis, size: 26, space: 64, values: (_plot, splits) => splits.map((at) => `${Number(at.toPrecision(9))} s`) },
      { ...axis, size: (_plot, values) => 16 + 6.5 * Math.max(2, ...(values ?? []).map((value) => value.length)), space: 26 },
    ],
    legend: { markers: { dash: (_plot, i) => ["solid", "dashed", "dotted", "double"][(i - 1) % 4] as "solid" } },
    series: [
      { label: "time", value: (_plot, at) => (at === null ? "–" : `${at.toFixed(3)} s`) },
      ...names.map((name, i) => ({
        label: name,
        stroke: of.loops[i % of.loops.length]!,
        width: 1.5,
        dash: DASHES[i % DASHES.length]!,
        spanGaps: true,
        points: { show: false },
      })),
    ],
  };
}
