// Reads values out of JSON that somebody else wrote: each function gives what it names, or throws MessageError.

export class MessageError extends Error {}

export type Fields = Record<string, unknown>;

export function fields(value: unknown, where: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new MessageError(`${where} is no object`);
  }
  return value as Fields;
}

export function list(value: unknown, where: string): unknown[] {
  if (!Array.isArray(value)) throw new MessageError(`${where} is no list`);
  return value;
}

/** An empty list where there is nothing. */
export function optionalList(value: unknown, where: string): unknown[] {
  return value === undefined || value === null ? [] : list(value, where);
}

export function text(value: unknown, where: string): string {
  if (typeof value !== "string") throw new MessageError(`${where} is no text`);
  return value;
}

export function number(value: unknown, where: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new MessageError(`${where} is no number`);
  }
  return value;
}

export function optionalNumber(value: unknown, where: string): number | null {
  return value === undefined || value === null ? null : number(value, where);
}

/** A count or an instant: whole, and exact in a double. */
export function whole(value: unknown, where: string): number {
  const read = number(value, where);
  if (!Number.isSafeInteger(read)) throw new MessageError(`${where} is not whole`);
  return read;
}

export function flag(value: unknown): boolean {
  return value === true;
}
