/**
 * SQL: the address that emails go to: the registrar's correction, or else the address that the owner of the record
 * reports.
 */
export function currentEmail(): string {
  return "coalesce(learners.corrected_email, learners.email)";
}
