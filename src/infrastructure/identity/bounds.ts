/** The objects that a call names, which must belong to the organisations of a bounded caller. */
export interface NamedObjects {
  readonly credentials: readonly string[];
  readonly configurations: readonly string[];
  readonly runs: readonly string[];
  readonly learningContexts: readonly string[];
  readonly learners: readonly string[];
}

/**
 * Checks that objects belong to one of the organisations.
 * @throws Problem `not-found` for the first that does not, in the words for one that does not exist
 */
export type CheckBounds = (
  organisations: readonly string[],
  named: NamedObjects,
  signal: AbortSignal,
) => Promise<void>;
