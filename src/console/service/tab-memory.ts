const PREFIX = "console.kept.";
/** Maximum lifetime of a console session. */
const MAX_AGE_MS = 8 * 60 * 60 * 1000;

interface Stored {
  readonly owner: string;
  readonly time: number;
  readonly value: unknown;
}

/**
 * Stores a value of a user, which then survives a reload of this tab. If the value doesn't fit into the tab's storage,
 * nothing is stored under this name.
 */
export function storeInTab(owner: string, name: string, value: unknown): void {
  const stored: Stored = { owner, time: Date.now(), value };
  try {
    sessionStorage.removeItem(PREFIX + name);
    if (value !== undefined) sessionStorage.setItem(PREFIX + name, JSON.stringify(stored));
  } catch {
    // The storage is full, or the browser allows none.
  }
}

/** Returns a user's stored value; undefined if it is so old that the session in which it was stored has ended. */
export function readFromTab(owner: string, name: string): unknown {
  const stored = readStored(PREFIX + name);
  if (stored?.owner === owner && Date.now() - stored.time < MAX_AGE_MS) return stored.value;
  storeInTab(owner, name, undefined);
  return undefined;
}

/**
 * Removes the stored values of all users, or of all but one.
 * @param owner the user whose values are kept; by default none
 */
export function forgetInTab(owner?: string): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys)
      if (owner === undefined || readStored(key)?.owner !== owner) sessionStorage.removeItem(key);
  } catch {
    // without storage, there is nothing to remove
  }
}

function readStored(key: string): Stored | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
