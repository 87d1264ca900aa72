import { failedPrecondition, Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import type { DownloadUrl, FileStore } from "#infrastructure/files/file-store.js";
import { findCredential } from "../credential-store.js";
import type { FigureCounter } from "../figures/figure-counter.js";
import { readDownloadToken } from "./download-link.js";
import { getDownloadUrl } from "./get-download-url.js";

/**
 * Returns where a link in an email leads now.
 * @throws Problem `not-found` if it is forged, revoked, or leads to nothing yet; `failed-precondition` if the
 * credential was invalidated
 */
export type FollowDownloadLink = (token: string, signal: AbortSignal) => Promise<DownloadUrl>;

/**
 * Creates the function. The link is the only credential that its holder needs. The URL of the file is a new
 * one each time, and short-lived.
 */
export function createFollowDownloadLink(deps: {
  database: Database;
  files: FileStore;
  figures: Pick<FigureCounter, "count">;
  /** Any of them may have signed a link. */
  secrets: readonly string[];
}): FollowDownloadLink {
  const { database, secrets } = deps;
  return async (token, signal) => {
    const linked = readDownloadToken(secrets, token);
    const credential =
      linked &&
      (await inSnapshot(database, signal, (transaction) => findCredential(transaction, linked.uuid)));
    const isCurrent = credential !== undefined && credential.linkVersion === linked?.linkVersion;
    if (isCurrent && credential.status === "available") return getDownloadUrl(deps, credential);
    if (isCurrent && credential.status === "invalidated") {
      throw failedPrecondition("The credential was invalidated.");
    }
    throw new Problem("not-found", "This link is not valid.");
  };
}
