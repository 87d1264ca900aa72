import type { SealSlot } from "#formats/rendering/generator.js";
import { insertSeal } from "#formats/sealing/sealed-pdf.js";
import type { Database } from "#infrastructure/db/database.js";
import { queryRow } from "#infrastructure/db/query.js";
import type { Seals } from "../../keys/seals.js";
import type { Credential } from "../credential.js";

/** The seal of a file. With it, the file can be generated again without the key or the timestamp authority. */
export interface StoredSeal extends SealSlot {
  /** In DER encoding. */
  readonly cms: Buffer;
  /** Name of the signer in the seal's certificate. */
  readonly sealer: string;
  readonly timestampedAt: Date | null;
  /** When the certificate of the seal or of its timestamp expires. PDF viewers may then report the seal as doubtful. */
  readonly validUntil: Date;
}

export interface SealingDeps {
  readonly database: Database;
  /** Returns `undefined` if documents are not sealed. */
  openSeals(): Promise<Seals | undefined>;
}

interface DocumentSeal {
  readonly slot: SealSlot;
  /**
   * @param pdf the document with an empty slot for the seal
   * @throws Problem `unavailable` if a later attempt may succeed; `failed-precondition` if it can't
   */
  close(pdf: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly seal: StoredSeal }>;
}

/**
 * Returns the seal for a document. A new document gets the current seal of its organisation or of the service. A
 * document that is generated again gets its stored seal.
 * @returns undefined if the document is not sealed
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

/** @param organisation undefined for the service */
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

function findSeal({ knex }: Database, credentialUuid: string): Promise<StoredSeal | undefined> {
  return queryRow<StoredSeal>(
    knex,
    `select sealed_at as at, room, cms, sealer, timestamped_at as "timestampedAt", valid_until as "validUntil"
     from credential_seals where credential_uuid = ?::uuid`,
    [credentialUuid],
  );
}
