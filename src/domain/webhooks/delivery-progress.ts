import { performance } from "node:perf_hooks";
import { type Database, inTransaction, NEVER_ABORTS } from "#infrastructure/db/database.js";
import { insertAttempts } from "./attempt-store.js";
import type { DeliveryTimings } from "./delivery-deps.js";
import { type LeasedEndpoint, storeProgress } from "./endpoint-store.js";
import type { NewWebhookAttempt } from "./webhook-attempt.js";

/** Stores attempts, and the position up to which all events were delivered. */
export interface DeliveryProgress {
  note(attempt: NewWebhookAttempt): void;
  /** Stores attempts, unless attempts are being stored or were stored recently. */
  storeIfDue(): Promise<void>;
  /** Stores the attempts that have not been stored yet. */
  store(): Promise<void>;
  /**
   * Returns whether the lease is certainly still valid. The caller must check this before each request, because the
   * process may have been suspended.
   */
  isLeased(): boolean;
}

/** Maximum number of unstored attempts. If the sender is killed, at most this many attempts are repeated. */
const MAX_UNSTORED = 200;

/**
 * @param leasedAt when the lease was requested, by `performance.now()`
 * @param deliveredUpTo returns the position up to which all events were delivered
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
      leasedUntil = 0; // the attempts are lost, so another sender must make them again
      throw error;
    });
    storedAt = performance.now();
    leasedUntil = isOurs ? requestedAt + leaseMs : 0;
  }

  async function store(): Promise<void> {
    await storing?.catch(() => {}); // whoever started this write handles its error
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
