import { findCredentials } from "#domain/credentials/credential-store.js";
import { factsOf } from "#domain/credentials/generation/render-credential.js";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import { statusSql } from "#foundation/credential-status.js";
import { queryRows } from "#infrastructure/db/query.js";
import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

const { isAvailable } = statusSql();

const BATCH = 500;

/**
 * Finds valid documents in which version 1.0.0 printed ordinary letters among small capitals. Reads only credentials
 * whose options request small capitals. Renders nothing.
 */
export async function* checkDocuments(
  { database: { knex } }: Pick<DoctorDeps, "database">,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  // Imported only here, because this module loads the drawing libraries.
  const { findMixedSmallCapitals } = await import("#formats/rendering/design/mixed-small-capitals.js");
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const rows = await queryRows<{ id: number; uuid: string }>(
      knex,
      `select id::float8 as id, uuid from credentials
       where id > ? and ${isAvailable} and imported_at is null and file_key is not null and renewed_at is null
         and generation_func = ? and not print_settings \\? 'edition' and options::text like '%"small_caps": true%'
       order by id limit ${BATCH}`,
      [after, pdfCredentialGenerator.name],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const uuids = rows.map(({ uuid }) => uuid);
    for (const credential of await findCredentials(knex, uuids)) {
      if (credential.isExpired) continue;
      for (const { language, option, letters } of findMixedSmallCapitals(
        factsOf(credential, ""),
        credential.options,
      )) {
        const detail = `${option}, in the language ${language}: ${letters.join(" ")}`;
        yield { kind: "mixed-small-capitals", credentialUuid: credential.uuid, detail };
      }
    }
    after = last.id;
  }
}
