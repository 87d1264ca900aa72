import { performance } from "node:perf_hooks";
import type { Database } from "#infrastructure/db/database.js";
import { inTransaction, NEVER_ABORTS } from "#infrastructure/db/transaction.js";
import { insertAttempts } from "./attempt-store.js";
import type { DeliveryTimings } from "./delivery-deps.js";
import { type LeasedEndpoint, storeProgress } from "./endpoint-store.js";
import type { NewWebhookAttempt } from "./webhook-attempt.js";

/** Stores what a sender has tried, and up to where everything was delivered. */
export interface DeliveryProgress {
  note(attempt: NewWebhookAttempt): void;
  /** Stores what was noted, if that is due and not in progress. */
  storeIfDue(): Promise<void>;
  /** Stores the rest. */
  store(): Promise<void>;
  /**
   * Whether the endpoint is surely still this sender's. A process that was stopped for a while finds out here,
   * before it sends anything.
   */
  isLeased(): boolean;
}

/** The progress is stored after so many attempts, at the latest: a killed sender repeats no more than these. */
const MAX_UNSTORED = 200;

/**
 * @param leasedAt when the lease was requested, by `performance.now()`
 * @param deliveredUpTo reads how far the sender has come
 */
export function createDeliveryProgress(
  database: Database,
  endpoint: LeasedEndpoint,
  { leaseMs, progressMs }: DeliveryTimings,
  leasedAt: number,
  deliveredUpTo: () => number,
): DeliveryProgress {
  let noted: NewWebhookAttempt[] = [];
  let storedAt = performance.now();
  let leasedUntil = leasedAt + leaseMs;
  let storing: Promise<void> | undefined;

  async function storeNoted(): Promise<void> {
    const attempts = noted;
    noted = [];
    const requestedAt = performance.now();
    const progress = {
      deliveredUpTo: deliveredUpTo(),
      hasSucceeded: attempts.some(({ outcome }) => outcome === "delivered"),
    };
    const isOurs = await inTransaction(database, NEVER_ABORTS, async (transaction) => {
      if (!(await storeProgress(transaction, endpoint, progress, leaseMs))) return false;
      await insertAttempts(transaction, endpoint.id, attempts);
      return true;
    }).catch((error) => {
      leasedUntil = 0; // what was tried is forgotten, so it must be tried again
      throw error;
    });
    storedAt = performance.now();
    leasedUntil = isOurs ? requestedAt + leaseMs : 0;
  }

  async function store(): Promise<void> {
    await storing?.catch(() => {}); // whoever started it handles its error
    if (leasedUntil === 0) return;
    storing = storeNoted().finally(() => {
      storing = undefined;
    });
    await storing;
  }

  return {
    note: (attempt) => void noted.push(attempt),
    async storeIfDue() {
      const isDue = noted.length >= MAX_UNSTORED || performance.now() - storedAt >= progressMs;
      if (isDue && storing === undefined) await store();
    },
    store,
    isLeased: () => performance.now() < leasedUntil,
  };
}
