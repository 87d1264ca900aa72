/**
 * SQL: the name that credentials print, which is the registrar's correction, or else the name reported by the source
 * that owns the record.
 * @param learner alias of the table `learners`
 */
export function printedNameSql(learner = "learners"): string {
  return `coalesce(${learner}.corrected_name, ${learner}.full_name)`;
}
