// The floor that a vehicle drives on, seen from above: what part of it is shown, and where things are on it.

export interface Place {
  x: number; // cm ahead of the start
  y: number; // cm to the left of it
  heading: number; // degrees, left turns are positive
}

export interface Floor {
  left: number; // cm: the window
  right: number;
  middle: number;
  scale: number; // pixels for a centimetre
}

/** A window that holds the vehicle and the wall, with room around, and does not shake as the vehicle moves. */
export function floor(place: Place, wall: number | null, width: number, height: number, before: Floor | null): Floor {
  const ahead = Math.max(place.x + 60, (wall ?? place.x + 150) + 40);
  const behind = Math.min(place.x - 60, -30);
  const least = Math.max(ahead - behind, ((Math.abs(place.y) + 60) * 2 * width) / height);
  const fits =
    before !== null &&
    before.left <= behind && before.right >= ahead &&
    before.right - before.left < least * 2.2 &&
    Math.abs(place.y - before.middle) * before.scale < height * 0.4;
  if (fits) return before;
  const span = Math.ceil((least * 1.15) / 50) * 50;
  const left = Math.floor((behind - (span - (ahead - behind)) / 2) / 50) * 50;
  const middle = Math.abs(place.y) < 60 ? 0 : place.y;
  return { left, right: left + span, middle, scale: width / span };
}

/** To pixels: ahead is to the right, left is up. */
export function onScreen(of: Floor, height: number, x: number, y: number): [number, number] {
  return [(x - of.left) * of.scale, height / 2 - (y - of.middle) * of.scale];
}

export function fromScreen(of: Floor, pixels: number): number {
  return of.left + pixels / of.scale;
}

/** Lines of the floor, at round distances, with room for what stands at them. */
export function gridStep(of: Floor): number {
  const room = 56; // pixels
  return [10, 20, 50, 100, 200, 500].find((size) => size * of.scale >= room) ?? 1000;
}
