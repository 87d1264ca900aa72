const PREFIX = "console.kept.";
/** A session of the console lasts no longer, in milliseconds. */
const KEPT_MS = 8 * 60 * 60 * 1000;

interface Stored {
  readonly owner: string;
  readonly time: number;
  readonly value: unknown;
}

/** Keeps a value over a reload of this tab, for one user. A browser that keeps nothing, or not as much, has none. */
export function storeInTab(owner: string, name: string, value: unknown): void {
  const stored: Stored = { owner, time: Date.now(), value };
  try {
    if (value === undefined) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(stored));
  } catch {
    forgetInTab();
  }
}

/** What was kept for this user in this tab; undefined if nothing is, or the session of that time must have ended. */
export function readFromTab(owner: string, name: string): unknown {
  const stored = readStored(PREFIX + name);
  if (stored?.owner === owner && Date.now() - stored.time < KEPT_MS) return stored.value;
  storeInTab(owner, name, undefined);
  return undefined;
}

/** Removes everything that was kept. @param owner whose things stay; by default, nobody's */
export function forgetInTab(owner?: string): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys)
      if (owner === undefined || readStored(key)?.owner !== owner) sessionStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

function readStored(key: string): Stored | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
