import { isCanvasGradebook } from "./column-headings.js";
import type { Row } from "./table.js";

/**
 * Leaves out the rows of a gradebook that tell of no learner. That of Canvas has points possible and hidden
 * assignments below its headings, and a test student at its end.
 */
export function withoutNotes(headings: readonly string[], rows: readonly Row[]): readonly Row[] {
  if (!isCanvasGradebook(headings)) return rows;
  return rows.filter(({ cells: [first = "", second = ""] }) => {
    const isNote = second === "" && (first === "" || first === "Points Possible");
    return !isNote && first !== "Student, Test";
  });
}
