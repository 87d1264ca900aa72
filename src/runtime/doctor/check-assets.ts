import { queryRows } from "#infrastructure/db/query.js";
import { checkContent, type ExpectedContent } from "./check-content.js";
import type { DiagnosisStats, DoctorDeps } from "./doctor-deps.js";
import { BATCH, examine } from "./examine.js";
import type { Finding } from "./finding.js";

interface Content extends ExpectedContent {
  /**
   * Slugs of the assets that currently have this content. Even if no asset has it, credentials may need the content.
   */
  readonly slugs: readonly string[];
}

/** Checks that the content of every asset exists and is unchanged since upload. */
export async function* checkAssets(
  { database, files }: DoctorDeps,
  stats: DiagnosisStats,
  withHashes: boolean,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const read = (after: string) =>
    queryRows<Content>(
      database.knex,
      `select file_key as "fileKey", encode(sha256, 'hex') as sha256, size,
         array(select slug from assets where assets.sha256 = asset_contents.sha256 order by slug) as slugs
       from asset_contents where sha256 > decode(?, 'hex') order by asset_contents.sha256 limit ${BATCH}`,
      [after],
    );
  const faultOf = (content: Content) => {
    stats.assets++;
    return checkContent(files, content, withHashes);
  };
  const keyOf = ({ sha256 }: Content) => sha256;
  for await (const { item, fault } of examine({ first: "", read, keyOf, faultOf }, signal)) {
    const { fileKey, slugs } = item;
    const whose = slugs.length > 0 ? `of ${slugs.join(", ")}` : "of an asset that was deleted or replaced";
    const kind = fault.isMissing ? "missing-asset" : "damaged-asset";
    yield { kind, fileKey, detail: `${whose}: ${fault.detail}` };
  }
}
