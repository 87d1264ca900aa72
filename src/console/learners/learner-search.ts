/** What the address of the list of learners says. */
export interface LearnerSearch {
  readonly q?: string;
  readonly context?: string;
  readonly page?: string;
}

/** Reads an address. What it can't mean is left out. */
export function readLearnerSearch(query: Record<string, unknown>): LearnerSearch {
  const read: Record<string, string> = {};
  for (const name of ["q", "context", "page"]) {
    const value = query[name];
    if (typeof value === "string" && value.trim() !== "" && value.length <= 500) read[name] = value.trim();
  }
  return read;
}
