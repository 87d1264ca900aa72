/**
 * SQL: the name that credentials print: the registrar's correction, or else the name that the owner of the record
 * reports.
 * @param learner alias of the table `learners`
 */
export function printedName(learner = "learners"): string {
  return `coalesce(${learner}.corrected_name, ${learner}.full_name)`;
}
