// Keys of the whole page: space runs and pauses, a full stop steps, L follows the present.

interface Acts {
  toggle(): void;
  step(): void;
  live(): void;
}

const TYPED_INTO = "input, select, textarea, button, [role=slider], [role=button], summary, a";

export function keys(acts: Acts): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.composedPath()[0];
    const busy = target instanceof Element && target.matches(TYPED_INTO);
    // A full stop and L mean something only where text is typed; space and Enter work buttons as well.
    const typing = target instanceof Element && target.matches("input:not([type=range], [type=checkbox]), select, textarea");
    if (event.key === " " && !busy) acts.toggle();
    else if (event.key === "." && !typing) acts.step();
    else if ((event.key === "l" || event.key === "L") && !typing) acts.live();
    else return;
    event.preventDefault();
  });
}
