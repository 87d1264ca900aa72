/**
 * SQL: the address for emails, which is the registrar's correction, or else the address that the record's owner
 * reports.
 */
export function currentEmail(): string {
  return "coalesce(learners.corrected_email, learners.email)";
}
