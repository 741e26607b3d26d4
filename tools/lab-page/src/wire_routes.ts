// Ways of wires: right angles with round corners, through the gap between the board and the parts.

export interface Point {
  x: number;
  y: number;
}

export interface End {
  from: Point; // the pin
  to: Point; // the terminal
  upper: boolean; // the pin is at the board's upper edge: its wire goes around the board
  behind: boolean; // the terminal is in a further row: the wire goes behind the parts before it
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
  if (end.behind) {
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
