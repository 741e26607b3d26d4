// The colours of the drawing, from the style sheet, so that light and dark are said in one place.

export interface Colours {
  ground: string;
  text: string;
  quiet: string;
  line: string;
  ready: string;
  hatch: string;
  level: string;
  bound: string;
  touch: string;
  high: string;
  loops: string[];
}

const LOOPS = 8;

export function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ground: of("ground"),
    text: of("text"),
    quiet: of("quiet"),
    line: of("line"),
    ready: of("ready"),
    hatch: of("hatch"),
    level: of("level"),
    bound: of("bound"),
    touch: of("touch"),
    high: of("high"),
    loops: Array.from({ length: LOOPS }, (_, i) => of(`loop-${i + 1}`)),
  };
}

/** Neighbours differ in lightness, too. */
export function loopColour(of: Colours, index: number): string {
  return of.loops[index % of.loops.length]!;
}
