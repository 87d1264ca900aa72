import { createHash } from "node:crypto";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { type Database, inSnapshot, inTransaction } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import type { Asset, AssetKind } from "../assets/asset.js";
import { deleteAsset, findAssets, insertContent, lockAsset, putAsset } from "../assets/asset-store.js";
import { createInspectAsset, type InspectAsset } from "../assets/inspection/inspect-asset.js";
import type { LoadAssets } from "../assets/load-assets.js";
import { storeLogo } from "../brands/brand.js";
import { type AssetUse, describeKinds, usesOfAsset } from "./asset-references.js";
import { type Expectation, etagOfAsset, refuseOutdated } from "./etag.js";
import type { Functions } from "./functions.js";

export interface AssetDeps {
  readonly database: Database;
  readonly functions: Functions;
  readonly files: FileStore;
  readonly loadAssets: LoadAssets;
  readonly inspectAsset: InspectAsset;
  /** Directory of asset files in the store. */
  readonly assetDir: string;
}

export function createAssetDeps(app: {
  readonly config: { readonly outputDir: string };
  readonly database: Database;
  readonly functions: Functions;
  readonly files: FileStore;
  readonly loadAssets: LoadAssets;
}): AssetDeps {
  const { config, database, functions, files, loadAssets } = app;
  return {
    database,
    functions,
    files,
    loadAssets,
    inspectAsset: createInspectAsset(),
    assetDir: `${config.outputDir}_assets`,
  };
}

const mediaTypes: Record<AssetKind, string> = {
  pdf: "application/pdf",
  png: "image/png",
  jpeg: "image/jpeg",
  svg: "image/svg+xml",
  font: "font/sfnt",
};

/**
 * Inspects and stores an asset, and assigns it to the slug.
 * @param createOnly whether to refuse a slug that is in use
 * @throws Problem `invalid` with the fault in the content; `already-exists` if the slug is in use;
 * `failed-precondition` if options that refer to the slug need another kind of asset
 */
export async function uploadAsset(
  { database, functions, files, inspectAsset, assetDir }: AssetDeps,
  upload: { slug: string; bytes: Uint8Array; uploadedBy: string; createOnly?: boolean } & Expectation,
  signal: AbortSignal,
): Promise<Asset> {
  const { slug, bytes, uploadedBy, createOnly = false, etag = "" } = upload;
  const { kind, characters } = await inspectAsset(bytes, signal);
  const sha256 = createHash("sha256").update(bytes).digest();
  const fileKey = `${assetDir}/${sha256.toString("hex")}`;
  // The file is stored before any row refers to it. Storing the same content twice is harmless, because its key is its
  // hash.
  await files.put(fileKey, bytes, { contentType: mediaTypes[kind], downloadName: slug });
  return inTransaction(database, signal, async (transaction) => {
    const before = await lockAsset(transaction, slug);
    refuseOutdated(etag, before && etagOfAsset(before), `Asset ${slug}`);
    if (createOnly && before)
      throw new Problem(
        "already-exists",
        `The name ${slug} is in use by another file: choose another name.`,
        {
          field: "header.slug",
        },
      );
    for (const { where, reference } of await usesOfAsset(transaction, functions, slug)) {
      if (reference.kinds.includes(kind)) continue;
      throw failedPrecondition(
        `The kind of this file is ${kind}, but the options of ${where} name the asset ${slug}, which must be ${describeKinds(reference)}.`,
      );
    }
    await insertContent(transaction, { sha256, kind, size: bytes.length, fileKey, characters });
    const asset = await putAsset(transaction, { slug, sha256, uploadedBy });
    await storeLogo(transaction, slug);
    return asset;
  });
}

interface AssetReport {
  readonly asset: Asset;
  readonly bytes: Uint8Array;
  readonly uses: readonly AssetUse[];
}

export async function readAsset(
  { database, functions, loadAssets }: AssetDeps,
  slug: string,
  signal: AbortSignal,
): Promise<AssetReport> {
  const { assets, uses } = await inSnapshot(database, signal, async (transaction) => ({
    assets: await findAssets(transaction, [slug]),
    uses: await usesOfAsset(transaction, functions, slug),
  }));
  const [asset] = assets;
  if (!asset) throw noSuchAsset(slug);
  const content = (await loadAssets({ [slug]: asset.sha256 })).get(slug);
  return { asset, bytes: content?.bytes ?? new Uint8Array(), uses };
}

function noSuchAsset(slug: string): Problem {
  return new Problem("not-found", `There is no asset named ${JSON.stringify(slug)}.`, {
    reason: "ASSET_NOT_FOUND",
  });
}

/**
 * Removes an asset. Its content is kept, because credentials may have been generated with it.
 * @throws Problem `not-found`; `failed-precondition` naming where the asset is used
 */
export function removeAsset(
  { database, functions }: AssetDeps,
  { slug, etag = "" }: { readonly slug: string } & Expectation,
  signal: AbortSignal,
): Promise<Asset> {
  return inTransaction(database, signal, async (transaction) => {
    const before = await lockAsset(transaction, slug);
    if (!before) throw noSuchAsset(slug);
    refuseOutdated(etag, etagOfAsset(before), `Asset ${slug}`);
    const [use] = await usesOfAsset(transaction, functions, slug);
    if (use) {
      throw failedPrecondition(`Asset ${slug} is in use: the options of ${use.where} name it.`, {
        reason: "IN_USE",
        facts: { used_by: use.where },
      });
    }
    await deleteAsset(transaction, slug);
    return before;
  });
}
