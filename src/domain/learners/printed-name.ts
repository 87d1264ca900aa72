/**
 * SQL: the name that credentials print: the registrar's correction, or else the name that the owner of the record
 * reports.
 * @param learner alias of the table `learners`
 */
export function printedName(learner = "learners"): string {
  return `coalesce(${learner}.corrected_name, ${learner}.full_name)`;
}

/**
 * SQL: the address that emails go to: the registrar's correction, or else the address that the owner of the record
 * reports.
 */
export function currentEmail(): string {
  return "coalesce(learners.corrected_email, learners.email)";
}
