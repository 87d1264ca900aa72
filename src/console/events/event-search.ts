/** What the address of the list of events says. */
export interface EventSearch {
  readonly actor?: string;
  /** Number of the event's type in the API. */
  readonly type?: string;
  readonly credential?: string;
  readonly page?: string;
}

/** Reads an address. What it can't mean is left out. */
export function readEventSearch(query: Record<string, unknown>): EventSearch {
  const read: Record<string, string> = {};
  for (const name of ["actor", "type", "credential", "page"]) {
    const value = query[name];
    if (typeof value === "string" && value.trim() !== "" && value.length <= 500) read[name] = value.trim();
  }
  return read;
}
