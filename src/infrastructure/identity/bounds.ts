/** The objects of a call, which must belong to the organisations of a restricted caller. */
export interface NamedObjects {
  readonly credentials: readonly string[];
  readonly configurations: readonly string[];
  readonly runs: readonly string[];
  readonly learningContexts: readonly string[];
  readonly learners: readonly string[];
}

/**
 * Checks the objects of a call.
 * @throws Problem `not-found` for the first object outside of the organisations, with the same message as for an
 *   object that does not exist
 */
export type CheckBounds = (
  organisations: readonly string[],
  named: NamedObjects,
  signal: AbortSignal,
) => Promise<void>;
