// The facts of a part without a drawing, as lines of its card.
import type { Facts } from "./part.ts";

const SHOWN = 12;

/** A name and a value each; of a group, as the registers of a device, its values one by one. */
export function factLines(facts: Facts): [string, string][] {
  return Object.entries(facts)
    .flatMap(([name, value]) => (isGroup(value) ? members(name, value) : [[name, value] as [string, unknown]]))
    .filter(([, value]) => value !== null && typeof value !== "object")
    .slice(0, SHOWN)
    .map(([name, value]) => [name.replace(/_/g, " "), text(value)]);
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `registers: {2: 17}` as `register 2`, `17`. */
function members(name: string, group: Record<string, unknown>): [string, unknown][] {
  return Object.entries(group).map(([key, value]) => [`${name.replace(/s$/, "")} ${key}`, value]);
}

function text(value: unknown): string {
  return typeof value === "number" ? String(Math.round(value * 1000) / 1000) : String(value);
}
