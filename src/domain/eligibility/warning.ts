/** A warning about requirements that nobody can meet, or about facts in a list that are not printed. */
export interface Warning {
  readonly kind:
    | "unknown_letter"
    | "no_completion"
    | "no_pass"
    | "no_letter"
    | "no_grade"
    | "unknown_assignment_type"
    | "unprinted_fact"
    | "unprinted_attribute";
  /** In English. */
  readonly text: string;
  /** Only about requirements. */
  readonly courseKey?: string;
  /** The assignment type, letter grade, fact or attribute. */
  readonly name?: string;
  /** Letter grades or assignment types of the course. */
  readonly known?: readonly string[];
}
