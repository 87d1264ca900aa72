import type { Knex } from "../db/query.js";
import { findOpen } from "./session-store.js";

/** Maximum delay until watchers are notified that a session has ended. */
const PAUSE_MS = 2000;

/** Watches sessions. A single query checks all watched sessions; if there are none, no query is sent. */
export function createSessionWatch(knex: Knex) {
  const watched = new Set<{ readonly key: string; readonly onEnd: () => void }>();
  let timer: NodeJS.Timeout | undefined;

  function checkLater() {
    if (timer || watched.size === 0) return;
    timer = setTimeout(() => void check(), PAUSE_MS).unref();
  }
  async function check() {
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
      checkLater();
    }
  }

  return {
    /** Calls `onEnd` once the session has ended in any process. Returns a function that stops watching. */
    watch(tokenHash: Buffer, onEnd: () => void): () => void {
      const entry = {
        key: tokenHash.toString("hex"),
        onEnd() {
          watched.delete(entry);
          onEnd();
        },
      };
      watched.add(entry);
      checkLater();
      return () => void watched.delete(entry);
    },
  };
}
