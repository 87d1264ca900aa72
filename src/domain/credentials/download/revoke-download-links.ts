import { type Database, inTransaction } from "#infrastructure/db/database.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { Credential } from "../credential.js";
import { setLinksRevoked } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { findOrThrow } from "../get-credential.js";

interface Revocation {
  readonly uuid: string;
  readonly revokedBy: Actor;
}

/**
 * Revokes the links in emails already sent about a credential. Later emails get working links.
 * @throws Problem `not-found`
 */
export function revokeDownloadLinks(
  database: Database,
  { uuid, revokedBy }: Revocation,
  signal: AbortSignal,
): Promise<Credential> {
  return inTransaction(database, signal, async (transaction) => {
    const credential = await findOrThrow(uuid, () => setLinksRevoked(transaction, uuid));
    const { status } = credential;
    const revoked = { type: "links_revoked", actor: revokedBy, before: status, after: status } as const;
    await appendEvents(transaction, revoked, [credential]);
    return credential;
  });
}
