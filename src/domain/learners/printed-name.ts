/**
 * SQL: the name that credentials print, which is the registrar's correction, or else the name that the record's owner
 * reports.
 * @param learner alias of the table `learners`
 */
export function printedNameSql(learner = "learners"): string {
  return `coalesce(${learner}.corrected_name, ${learner}.full_name)`;
}
