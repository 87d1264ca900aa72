import type { Knex } from "knex";
import { queryRows } from "../db/query.js";
import { checkContent, type ExpectedContent } from "./check-content.js";
import type { DiagnosisStats, DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

const BATCH = 20;

interface Content extends ExpectedContent {
  /** Slugs of the assets that have this content now. If there are none, credentials may still need it. */
  readonly slugs: readonly string[];
}

/** Checks that the content of every asset is present and is what was uploaded. */
export async function* checkAssets(
  { database, files }: DoctorDeps,
  stats: DiagnosisStats,
  withHashes: boolean,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  for await (const batch of contents(database.knex)) {
    signal.throwIfAborted();
    const faults = await Promise.all(batch.map((content) => checkContent(files, content, withHashes)));
    stats.assets += batch.length;
    for (const [index, { fileKey, slugs }] of batch.entries()) {
      const fault = faults[index];
      if (!fault) continue;
      const whose = slugs.length > 0 ? `of ${slugs.join(", ")}` : "of an asset that was deleted or replaced";
      const kind = fault.isMissing ? "missing-asset" : "damaged-asset";
      yield { kind, fileKey, detail: `${whose}: ${fault.detail}` };
    }
  }
}

async function* contents(db: Knex): AsyncGenerator<Content[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows: Content[] = await queryRows(
      db,
      `select file_key as "fileKey", encode(sha256, 'hex') as sha256, size,
         array(select slug from assets where assets.sha256 = asset_contents.sha256 order by slug) as slugs
       from asset_contents where sha256 > decode(?, 'hex') order by asset_contents.sha256 limit ${BATCH}`,
      [after],
    );
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.sha256;
  }
}
