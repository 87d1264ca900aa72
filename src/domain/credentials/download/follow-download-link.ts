import { failedPrecondition, Problem } from "#foundation/errors.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import type { DownloadUrl, FileStore } from "#infrastructure/files/file-store.js";
import { findCredential } from "../credential-store.js";
import type { FigureCounter } from "../figures/figure-counter.js";
import { readDownloadToken } from "./download-link.js";
import { getDownloadUrl } from "./get-download-url.js";

/**
 * Returns the file's current URL for a link from an email.
 * @throws Problem `not-found` if the link is forged or revoked, or the credential has no file yet;
 * `failed-precondition` if the credential was invalidated
 */
export type FollowDownloadLink = (token: string, signal: AbortSignal) => Promise<DownloadUrl>;

/** Anyone who has the link can read the file, through a new URL that expires soon. */
export function createFollowDownloadLink(deps: {
  database: Database;
  files: FileStore;
  figures: Pick<FigureCounter, "count">;
  /** All secrets with which a link may have been signed. */
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
