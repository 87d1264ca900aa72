import type { Database } from "../db/database.js";
import { inSnapshot } from "../db/transaction.js";
import type { DownloadUrl, FileStore } from "../files/file-store.js";
import { findCredential } from "./credential-store.js";
import { readDownloadToken } from "./download-link.js";
import { getDownloadUrl } from "./get-download-url.js";

/** Where a link in a mail leads now; `unknown` also stands for what is forged, revoked or not there yet. */
export type Destination = DownloadUrl | "invalidated" | "unknown";

export type FollowDownloadLink = (token: string, signal: AbortSignal) => Promise<Destination>;

/** Who holds such a link needs no other credentials; the file's own URL is a new one each time, and short-lived. */
export function createFollowDownloadLink(parts: {
  database: Database;
  files: FileStore;
  /** Each may have signed a link. */
  secrets: readonly string[];
}): FollowDownloadLink {
  const { database, files, secrets } = parts;
  return async (token, signal) => {
    const linked = readDownloadToken(secrets, token);
    const credential =
      linked &&
      (await inSnapshot(database, signal, (transaction) => findCredential(transaction, linked.uuid)));
    if (credential?.linkVersion !== linked?.linkVersion) return "unknown";
    if (credential?.status === "invalidated") return "invalidated";
    return credential?.status === "available" ? getDownloadUrl(files, credential) : "unknown";
  };
}
