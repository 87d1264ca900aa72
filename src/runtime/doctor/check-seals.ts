import { readSeal } from "#formats/sealing/sealed-pdf.js";
import { statusSql } from "#foundation/credential-status.js";
import { counted } from "#foundation/text/counted.js";
import { queryRows } from "#infrastructure/db/query.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import type { DoctorDeps } from "./doctor-deps.js";
import { BATCH, examine, FIRST_UUID, isUnchanged } from "./examine.js";
import type { Finding } from "./finding.js";

const { isAvailable } = statusSql("credential");

interface Sealed {
  readonly uuid: string;
  readonly status: string;
  readonly fileKey: string;
  readonly cms: Buffer;
}

/**
 * Counts seals whose certificate has expired. If `readsFiles` is true, also verifies the seal in each file and compares
 * it with the recorded seal.
 */
export async function* checkSeals(
  { database: { knex }, files }: Pick<DoctorDeps, "database" | "files">,
  readsFiles: boolean,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const ended = await queryRows<{ sealer: string; count: number }>(
    knex,
    `select sealer, count(*)::float8 as count from credential_seals
     join credentials credential on uuid = credential_uuid
     where credential_seals.valid_until < now() and ${isAvailable} group by 1 order by 1`,
  );
  for (const { sealer, count } of ended)
    yield {
      kind: "ended-seal",
      detail: `${counted(count, "file is", "files are")} sealed by ${sealer}`,
    };
  if (!readsFiles) return;
  const read = (after: string) =>
    queryRows<Sealed>(
      knex,
      `select uuid, status, file_key as "fileKey", cms from credential_seals
       join credentials credential on uuid = credential_uuid
       where credential_uuid > ?::uuid and file_key is not null and ${isAvailable}
       order by credential_uuid limit ${BATCH}`,
      [after],
    );
  const keyOf = ({ uuid }: Sealed) => uuid;
  const examined = { first: FIRST_UUID, read, keyOf, faultOf: (each: Sealed) => faultOf(files, each) };
  for await (const { item, fault } of examine(examined, signal)) {
    const { uuid: credentialUuid, fileKey } = item;
    if (await isUnchanged(knex, item))
      yield { kind: "mismatched-seal", credentialUuid, fileKey, detail: `the seal in ${fileKey} ${fault}` };
  }
}

/** Returns what is wrong with the seal in a file, if anything. Missing files are reported elsewhere. */
async function faultOf(files: FileStore, { fileKey, cms }: Sealed): Promise<string | undefined> {
  const file = await files.read(fileKey);
  if (!file) return undefined;
  try {
    const seal = readSeal(file);
    if (!seal) return "is missing";
    return seal.cms.equals(cms) ? undefined : "is not the recorded one";
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
