import type { CharacterRanges } from "#formats/rendering/generator.js";
import { execute, type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";
import type { Asset, AssetKind } from "./asset.js";

const columns = `asset.id, asset.slug, content.kind, encode(asset.sha256, 'hex') as sha256, content.size,
  asset.uploaded_at as "uploadedAt", (
    select jsonb_agg(jsonb_build_array(lower(range), upper(range) - 1) order by range)
    from unnest(content.characters) range
  ) as characters`;

const joined = "assets asset join asset_contents content using (sha256)";

interface AssetContent {
  readonly sha256: Uint8Array;
  readonly kind: AssetKind;
  readonly size: number;
  readonly fileKey: string;
  readonly characters: CharacterRanges | undefined;
}

export async function insertContent(db: Knex, content: AssetContent): Promise<void> {
  const { sha256, kind, size, fileKey, characters } = content;
  const ranges = characters?.map(([first, last]) => `[${first},${last}]`).join(",");
  await execute(
    db,
    `insert into asset_contents (sha256, kind, size, file_key, characters) values (?, ?, ?, ?, ?::int4multirange)
     on conflict (sha256) do nothing`,
    [Buffer.from(sha256), kind, size, fileKey, ranges === undefined ? null : `{${ranges}}`],
  );
}

export async function findContent(
  db: Knex,
  sha256: string,
): Promise<{ kind: AssetKind; fileKey: string } | undefined> {
  return queryRow<{ kind: AssetKind; fileKey: string }>(
    db,
    `select kind, file_key as "fileKey" from asset_contents where sha256 = decode(?, 'hex')`,
    [sha256],
  );
}

export async function putAsset(
  db: Knex,
  asset: { slug: string; sha256: Uint8Array; uploadedBy: string },
): Promise<Asset> {
  await execute(
    db,
    `insert into assets (slug, sha256, uploaded_at, uploaded_by) values (:slug, :sha256, now(), :uploadedBy)
     on conflict (slug) do update set
       sha256 = excluded.sha256, uploaded_at = excluded.uploaded_at, uploaded_by = excluded.uploaded_by`,
    { ...asset, sha256: Buffer.from(asset.sha256) },
  );
  return (await findAssets(db, [asset.slug]))[0] as Asset;
}

export async function findAssets(db: Knex, slugs: readonly string[]): Promise<Asset[]> {
  return queryRows<Asset>(db, `select ${columns} from ${joined} where asset.slug = any (?::text[])`, [slugs]);
}

/** Like `findAssets`, but also locks the assets against deletion and replacement until the transaction ends. */
export async function lockAssets(db: Knex.Transaction, slugs: readonly string[]): Promise<Asset[]> {
  return queryRows<Asset>(
    db,
    `select ${columns} from ${joined} where asset.slug = any (?::text[]) order by asset.slug for share of asset`,
    [slugs],
  );
}

/** Locks an asset until the transaction ends, so that no new options can refer to it. */
export async function lockAsset(db: Knex.Transaction, slug: string): Promise<Asset | undefined> {
  return queryRow<Asset>(
    db,
    `select ${columns} from ${joined} where asset.slug = ? for no key update of asset`,
    [slug],
  );
}

export async function listAssets(db: Knex, afterId: number, limit: number): Promise<Asset[]> {
  return queryRows<Asset>(
    db,
    `select ${columns} from ${joined} where asset.id > ? order by asset.id limit ?`,
    [afterId, limit],
  );
}

export async function deleteAsset(db: Knex, slug: string): Promise<void> {
  await execute(db, "delete from assets where slug = ?", [slug]);
}
