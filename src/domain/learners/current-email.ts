/**
 * SQL: the address for emails, which is the registrar's correction, or else the address reported by the source that owns
 * the record.
 */
export function currentEmail(): string {
  return "coalesce(learners.corrected_email, learners.email)";
}
