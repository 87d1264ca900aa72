import { headingKey, isCanvasGradebook } from "./column-headings.js";
import type { Row } from "./table.js";

/**
 * Removes rows that aren't about a learner. Below its headings, a Canvas gradebook has rows with the maximum points and
 * with the visibility of assignments. At its end, it has a test student.
 */
export function withoutNotes(headings: readonly string[], rows: readonly Row[]): readonly Row[] {
  if (!isCanvasGradebook(headings)) return rows;
  return rows.filter(({ cells: [first = "", second = ""] }) => {
    const isNote = second === "" && (first === "" || first === "Points Possible");
    return !isNote && first !== "Student, Test";
  });
}

/** Labels of sums and averages below a table, in the form of `headingKey`. */
const sums: ReadonlySet<string> = new Set(
  [
    ..."average overallaverage classaverage mean median total totals sum subtotal count".split(" "),
    ..."minimum maximum min max standarddeviation stdev".split(" "),
    ..."durchschnitt mittelwert mittel schnitt summe gesamt anzahl standardabweichung".split(" "),
    ..."promedio media suma mediana maximo minimo desviacionestandar recuento".split(" "),
    ..."moyenne moyennegenerale somme mediane ecarttype effectif".split(" "),
    ..."somma totale conteggio massimo soma contagem desviopadrao".split(" "),
    ..."середнє середнійбал сума разом усього всього підсумок медіана кількість".split(" "),
    ..."المتوسط المعدل المجموع الاجمالي العدد".split(" "),
  ].map(headingKey),
);

/**
 * Counts the rows at the end of a table that are sums or averages.
 * @param ofPeople the columns of names and addresses, which are empty in such rows
 */
export function countSums(rows: readonly Row[], ofPeople: readonly number[]): number {
  const isSum = ({ cells }: Row) => {
    const first = cells.findIndex((cell) => cell !== "");
    return (
      sums.has(headingKey((cells[first] ?? "").replace(/:$/, ""))) &&
      ofPeople.every((column) => column === first || !cells[column])
    );
  };
  return rows.length - 1 - rows.findLastIndex((row) => !isSum(row));
}
