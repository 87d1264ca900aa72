/** What the address of the list of contexts says. */
export interface ContextSearch {
  readonly q?: string;
  readonly page?: string;
}

/** Reads an address. What it can't mean is left out. */
export function readContextSearch(query: Record<string, unknown>): ContextSearch {
  const read: Record<string, string> = {};
  for (const name of ["q", "page"]) {
    const value = query[name];
    if (typeof value === "string" && value.trim() !== "" && value.length <= 500) read[name] = value.trim();
  }
  return read;
}
