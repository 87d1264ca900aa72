import type { Database } from "#infrastructure/db/database.js";
import { inTransaction } from "#infrastructure/db/transaction.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { Credential } from "../credential.js";
import { setLinksRevoked } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { existing } from "../get-credential.js";

/** The credential whose links are to be revoked, and the actor. */
export interface Revocation {
  readonly uuid: string;
  readonly revokedBy: Actor;
}

/**
 * Revokes the links in all emails about a credential. An email that is sent later has a working link.
 * @throws Problem `not-found`
 */
export function revokeDownloadLinks(
  database: Database,
  { uuid, revokedBy }: Revocation,
  signal: AbortSignal,
): Promise<Credential> {
  return inTransaction(database, signal, async (transaction) => {
    const credential = await existing(uuid, () => setLinksRevoked(transaction, uuid));
    const { status } = credential;
    const revoked = { type: "links_revoked", actor: revokedBy, before: status, after: status } as const;
    await appendEvents(transaction, revoked, [credential]);
    return credential;
  });
}
