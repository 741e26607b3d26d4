// Ways of wires: right angles with round corners, through the gaps between the board and the parts.

export interface Point {
  x: number;
  y: number;
}

export interface End {
  from: Point; // the pin
  to: Point; // the terminal
  upper: boolean; // the pin is at the board's upper edge: its wire goes around the board
  behind: boolean; // the terminal is in a further row: the wire goes between the parts before it
  down?: Point; // of such a wire: where it comes down between parts, and the height at which it goes to its terminal
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Lane {
  end: End;
  lane: number; // in the gap below the board, from the top
  over: number | null; // above the board, from the bottom
}

const ROUND = 5;
const ASIDE = 6; // from the board's side to the first wire that goes around it
const SIDE_BY_SIDE = 4;
const GUTTER = 5; // from the side of a part to the middle of the gap beside it
const ABOVE = 5; // from the gap's lowest wire to the terminal
const CLOSE = 2; // between two wires of one gap between parts
const WIDEST = 3; // from the middle of such a gap to its outermost wire

/** Where a wire comes down into the gap. */
function entry(end: End, board: Box, over: number): number {
  if (!end.upper) return end.from.x;
  const left = end.from.x < (board.left + board.right) / 2;
  return left ? board.left - ASIDE - over * SIDE_BY_SIDE : board.right + ASIDE + over * SIDE_BY_SIDE;
}

/**
 * A lane for each wire, so that few of them cross: of those that go to the right, what begins further right is above
 * the others, and the other way round.
 */
export function channelOrder(ends: readonly End[], board: Box): Lane[] {
  const overs = new Map<End, number>();
  for (const side of [-1, 1]) {
    const middle = (board.left + board.right) / 2;
    const here = ends.filter((end) => end.upper && (end.from.x < middle ? -1 : 1) === side);
    here.sort((a, b) => side * (b.from.x - a.from.x)); // what is nearest to the side is nearest to the board
    here.forEach((end, i) => overs.set(end, i));
  }
  const enters = new Map(ends.map((end) => [end, entry(end, board, overs.get(end) ?? 0)]));
  const rightward = (end: End): boolean => end.to.x >= enters.get(end)!;
  const right = ends.filter(rightward).sort((a, b) => enters.get(b)! - enters.get(a)!);
  const left = ends.filter((end) => !rightward(end)).sort((a, b) => enters.get(a)! - enters.get(b)!);
  return [...left, ...right].map((end, lane) => ({ end, lane, over: overs.get(end) ?? null }));
}

/**
 * Gives each wire to a further row its way between the parts, as near to its terminal as there is one; a wire for which
 * there is none goes behind the parts. `top`: where the gap below the board ends.
 */
export function throughGaps(ends: readonly End[], parts: readonly Box[], top: number, width: number): void {
  const taken = new Map<number, End[]>();
  for (const end of ends) {
    delete end.down;
    if (!end.behind) continue;
    const x = gapBeside(end, parts, top, width);
    if (x !== null) taken.set(x, [...(taken.get(x) ?? []), end]);
  }
  for (const [x, here] of taken) {
    const step = Math.min(CLOSE, (2 * WIDEST) / Math.max(1, here.length - 1));
    // What goes furthest down is furthest from its terminal's side, so that these wires do not cross each other.
    here.sort((a, b) => a.to.y - b.to.y || Math.abs(a.to.x - x) - Math.abs(b.to.x - x));
    here.forEach((end, i) => {
      const aside = (i - (here.length - 1) / 2) * step * (end.to.x < x ? 1 : -1);
      end.down = { x: x + aside, y: end.to.y - ABOVE - Math.min(WIDEST, i * step) };
    });
  }
}

function gapBeside(end: End, parts: readonly Box[], top: number, width: number): number | null {
  const y = end.to.y - ABOVE;
  const sides = parts.flatMap((part) => [part.left - GUTTER, part.right + GUTTER]);
  const free = [GUTTER, width - GUTTER, ...sides].map(Math.round).filter((x) => x >= WIDEST && x <= width - WIDEST
    && !parts.some((part) => overlaps(part, x - WIDEST, x + WIDEST, top, y))
    && !parts.some((part) => overlaps(part, Math.min(x, end.to.x), Math.max(x, end.to.x), y - WIDEST, y)));
  free.sort((a, b) => Math.abs(a - end.to.x) - Math.abs(b - end.to.x));
  return free[0] ?? null;
}

function overlaps(box: Box, left: number, right: number, top: number, bottom: number): boolean {
  return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
}

/** The path of one wire; `gap`: the height of its lane below the board, `above`: that above it. */
export function route(end: End, board: Box, gap: number, above: number | null): string {
  const lane = (gap - board.bottom) / SIDE_BY_SIDE;
  const points: Point[] = [end.from];
  let x = end.from.x;
  if (above !== null) {
    const over = Math.round((board.top - 6 - above) / SIDE_BY_SIDE);
    x = entry(end, board, over);
    points.push({ x: end.from.x, y: above }, { x, y: above });
  }
  points.push({ x, y: gap });
  if (end.down) {
    points.push({ x: end.down.x, y: gap }, end.down, { x: end.to.x, y: end.down.y });
  } else if (end.behind) {
    const inward = end.to.x > (board.left + board.right) / 2 ? -1 : 1;
    const aside = end.to.x + inward * (9 + Math.min(40, lane * 4));
    points.push({ x: aside, y: gap }, { x: aside, y: end.to.y - 7 }, { x: end.to.x, y: end.to.y - 7 });
  } else points.push({ x: end.to.x, y: gap });
  points.push(end.to);
  return rounded(points);
}

/** A path through these points; its corners are round as far as there is room. */
export function rounded(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${n(first.x)} ${n(first.y)}`;
  rest.forEach((at, i) => {
    const [before, after] = [points[i]!, rest[i + 1]];
    if (!after) {
      path += `L${n(at.x)} ${n(at.y)}`;
      return;
    }
    const round = Math.min(ROUND, distance(before, at) / 2, distance(at, after) / 2);
    const [a, b] = [towards(at, before, round), towards(at, after, round)];
    path += `L${n(a.x)} ${n(a.y)}Q${n(at.x)} ${n(at.y)} ${n(b.x)} ${n(b.y)}`;
  });
  return path;
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function towards(from: Point, to: Point, by: number): Point {
  const length = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) / length) * by, y: from.y + ((to.y - from.y) / length) * by };
}
