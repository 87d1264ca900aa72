import type { SealSlot } from "#formats/rendering/generator.js";
import { insertSeal } from "#formats/sealing/sealed-pdf.js";
import type { Database } from "#infrastructure/db/database.js";
import { queryRow } from "#infrastructure/db/query.js";
import type { Seals } from "../../keys/seals.js";
import type { Credential } from "../credential.js";

/** The seal of a credential's file, as it is stored. With it, the file can be made again without key and authority. */
export interface StoredSeal extends SealSlot {
  /** What was put in its place, in DER. */
  readonly cms: Buffer;
  /** Whose seal it is, as its certificate says. */
  readonly sealer: string;
  readonly timestampedAt: Date | null;
  /** When its certificate ends, or that of its timestamp. Readers of PDFs doubt it from then on. */
  readonly validUntil: Date;
}

/** Dependencies for sealing documents. */
export interface SealingDeps {
  readonly database: Database;
  /** undefined: documents are not sealed. */
  openSeals(): Promise<Seals | undefined>;
}

/** How the document of a credential is sealed. */
export interface DocumentSeal {
  readonly slot: SealSlot;
  /**
   * Seals the document, which has left this place.
   * @throws Problem `unavailable` if that may succeed later; `failed-precondition`
   */
  close(pdf: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly seal: StoredSeal }>;
}

/**
 * Returns how the document of a credential is sealed. A new one gets the seal of its organisation or of the service;
 * one that is generated again, exactly its own.
 * @returns undefined if it is not sealed
 */
export async function sealOf(
  { database, openSeals }: SealingDeps,
  { uuid, status, printSettings }: Credential,
): Promise<DocumentSeal | undefined> {
  if (status !== "generating") {
    const stored = await findSeal(database, uuid);
    if (!stored) return undefined;
    const { at, room, cms } = stored;
    const close = async (pdf: Uint8Array) => ({ bytes: insertSeal(Buffer.from(pdf), cms), seal: stored });
    return { slot: { at, room }, close };
  }
  return newSeal(openSeals, printSettings.issuer?.organisation);
}

/**
 * Returns how a new document is sealed now.
 * @param organisation whose seal it gets; undefined: the service's
 * @returns undefined if it is not sealed
 */
export async function newSeal(
  openSeals: SealingDeps["openSeals"],
  organisation: string | undefined,
): Promise<DocumentSeal | undefined> {
  const seal = (await openSeals())?.of(organisation);
  if (!seal) return undefined;
  const { certificate, room } = seal;
  const at = new Date(Math.floor(Date.now() / 1000) * 1000);
  return {
    slot: { at, room },
    async close(pdf) {
      const { bytes, cms, timestamp } = await seal.close(pdf);
      const sealer = certificate.subjectName;
      const timestampedAt = timestamp?.time ?? null;
      const { validTo: validUntil } = timestamp?.certificate ?? certificate;
      return { bytes, seal: { at, room, cms, sealer, timestampedAt, validUntil } };
    },
  };
}

/** Returns the seal of a credential's file, if it was sealed. */
function findSeal({ knex }: Database, credentialUuid: string): Promise<StoredSeal | undefined> {
  return queryRow<StoredSeal>(
    knex,
    `select sealed_at as at, room, cms, sealer, timestamped_at as "timestampedAt", valid_until as "validUntil"
     from credential_seals where credential_uuid = ?::uuid`,
    [credentialUuid],
  );
}
