import type { Knex } from "knex";
import { findOpen } from "./session-store.js";

/** Maximum delay until watchers are notified that a session has ended, in milliseconds. */
const PAUSE_MS = 2000;

/**
 * Creates a watch for the end of sessions. It queries the database for all watched sessions at once, and only while
 * there are any.
 */
export function createSessionWatch(knex: Knex) {
  const watched = new Set<{ readonly key: string; readonly onEnd: () => void }>();
  let timer: NodeJS.Timeout | undefined;

  function askLater() {
    if (timer || watched.size === 0) return;
    timer = setTimeout(() => void ask(), PAUSE_MS).unref();
  }
  async function ask() {
    // Sessions added during the query are checked next time.
    const checked = [...watched];
    try {
      if (checked.length === 0) return;
      const open = await findOpen(knex, [...new Set(checked.map(({ key }) => key))]);
      for (const each of checked) if (watched.has(each) && !open.has(each.key)) each.onEnd();
    } catch {
      // While the database is unavailable, no session is reported as ended.
    } finally {
      timer = undefined;
      askLater();
    }
  }

  return {
    /** Calls `onEnd` once the session has ended, wherever it was ended. @returns a function that stops watching */
    watch(tokenHash: Buffer, onEnd: () => void): () => void {
      const entry = {
        key: tokenHash.toString("hex"),
        onEnd() {
          watched.delete(entry);
          onEnd();
        },
      };
      watched.add(entry);
      askLater();
      return () => void watched.delete(entry);
    },
  };
}
