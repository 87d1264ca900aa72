import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { settlesWithin } from "#foundation/concurrency/settles-within.js";
import { Problem } from "#foundation/errors.js";
import type { Database } from "../db/database.js";
import { describeOutage } from "../db/outage.js";
import { withConnection } from "../db/query.js";
import type { AuditChange, AuditEntry } from "./audit-entry.js";
import { type AuditOutcome, appendEntries, appendOutcomes } from "./audit-store.js";

export interface AuditTrail {
  /**
   * Records a call before it is executed. Returns the id of the entry.
   * @throws Problem `unavailable`, or the database's error; the call must then not be executed
   */
  enter(entry: AuditEntry, signal: AbortSignal): Promise<number>;
  /** Records the outcome of a call. The outcome is written shortly afterwards. */
  end(entryId: number, code: string, changes?: readonly AuditChange[]): void;
  /**
   * Checks that a read can be recorded afterwards.
   * @throws Problem `unavailable` if too many reads are waiting to be written
   */
  checkRoom(): void;
  /**
   * Records a finished read. The entry is written shortly afterwards.
   * @param isRepeated true to omit the read if an identical read was recorded recently
   */
  note(entry: AuditEntry & { readonly code: string }, isRepeated?: boolean): void;
  close(): Promise<void>;
}

/** Reads and outcomes are collected for this long, then written together. A killed process loses the unwritten ones. */
const PAUSE_MS = 200;

const RETRY_MS = 1_000;

/** Maximum number of rows per statement. */
const BATCH = 1_000;

const CAPACITY = 20_000;

/** Clients repeat reads while someone types. Identical reads are recorded only once within this time. */
const REPETITION_WINDOW_MS = 600_000;

const MAX_REMEMBERED_READS = 10_000;

/** Time limit for writing the waiting entries on closing. */
const CLOSE_MS = 5_000;
const CLOSE_PAUSE_MS = 100;

export function createAuditTrail(database: Database, log: Logger): AuditTrail {
  const { knex } = database;
  const reads: AuditEntry[] = [];
  const outcomes: AuditOutcome[] = [];
  const wasRecorded = createRepetitionCheck();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isFailing = false;

  const waits = () => reads.length + outcomes.length > 0;

  function schedule(delayMs: number): void {
    if (timer !== undefined || writing !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      writing = write().finally(() => {
        writing = undefined;
        if (waits()) schedule(isFailing ? RETRY_MS : 0);
      });
    }, delayMs);
  }

  /** Entries that can't be written are kept and retried. */
  async function write(): Promise<void> {
    try {
      while (waits()) {
        const read = reads.slice(0, BATCH);
        if (read.length > 0) await appendEntries(knex, read);
        reads.splice(0, read.length);
        const ended = outcomes.slice(0, BATCH);
        if (ended.length > 0) await appendOutcomes(knex, ended);
        outcomes.splice(0, ended.length);
      }
      if (isFailing) log.info("writing to the audit trail works again");
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, "entries of the audit trail can't be written; retrying");
      isFailing = true;
    }
  }

  return {
    enter: (entry, signal) => enterNow(database, entry, signal),
    end(entryId, code, changes = []) {
      outcomes.push({ entryId, code, changes });
      schedule(PAUSE_MS);
    },
    checkRoom() {
      if (reads.length >= CAPACITY) throw notEntered();
    },
    note(entry, isRepeated) {
      if (isRepeated && wasRecorded(entry)) return;
      reads.push(entry);
      schedule(PAUSE_MS);
    },
    async close() {
      const deadline = performance.now() + CLOSE_MS;
      clearTimeout(timer);
      const writeRest = async () => {
        await writing;
        for (await write(); waits() && performance.now() < deadline; await write())
          await sleep(CLOSE_PAUSE_MS);
      };
      // Limits the wait, because a statement on a dead connection could delay the shutdown for too long.
      await settlesWithin(writeRest(), CLOSE_MS);
      clearTimeout(timer);
    },
  };
}

/**
 * Returns a function that reports whether the same read was recorded recently, ignoring the request id. If not, the
 * function remembers this read.
 */
function createRepetitionCheck(): (entry: AuditEntry) => boolean {
  const remembered = new Map<string, number>();
  return (entry) => {
    const read = JSON.stringify({ ...entry, requestId: "" });
    const now = performance.now();
    if (now < (remembered.get(read) ?? 0)) return true;
    if (remembered.size >= MAX_REMEMBERED_READS) remembered.clear();
    remembered.set(read, now + REPETITION_WINDOW_MS);
    return false;
  };
}

async function enterNow(database: Database, entry: AuditEntry, signal: AbortSignal): Promise<number> {
  try {
    // An entry is written again if its confirmation is lost, because a duplicate is better than a missing entry.
    const [id] = await withConnection(database, signal, (connection) => appendEntries(connection, [entry]));
    return id as number;
  } catch (error) {
    if (signal.aborted || error instanceof Problem || describeOutage(error) !== undefined) throw error;
    throw notEntered(error);
  }
}

function notEntered(cause?: unknown): Problem {
  return new Problem(
    "unavailable",
    "The audit trail can't record this call, so it was not carried out: try again later.",
    {
      cause,
    },
  );
}
