/**
 * SQL: the name that credentials print: a registrar's correction, or what the owner of the record tells.
 * @param learner alias of the table `learners`
 */
export function printedName(learner = "learners"): string {
  return `coalesce(${learner}.corrected_name, ${learner}.full_name)`;
}

/** SQL: the address that emails go to: a registrar's correction, or what the owner of the record reports. */
export function currentEmail(): string {
  return "coalesce(learners.corrected_email, learners.email)";
}
