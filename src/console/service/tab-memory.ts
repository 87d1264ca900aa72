const PREFIX = "console.kept.";
/** Maximum lifetime of a console session. */
const MAX_AGE_MS = 8 * 60 * 60 * 1000;

interface Stored {
  readonly owner: string;
  readonly time: number;
  readonly value: unknown;
}

/**
 * Stores a value of a user, which then survives a reload of this tab. If the tab's storage is full, removes all stored
 * values.
 */
export function storeInTab(owner: string, name: string, value: unknown): void {
  const stored: Stored = { owner, time: Date.now(), value };
  try {
    if (value === undefined) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(stored));
  } catch {
    forgetInTab();
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
