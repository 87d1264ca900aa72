import { createHash } from "node:crypto";
import type { Knex } from "#infrastructure/db/query.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import type { LoadedAsset } from "./asset.js";
import { findContent } from "./asset-store.js";

/** Loads the recorded versions of a credential's assets. @param versions SHA-256 in hexadecimal by slug */
export type LoadAssets = (
  versions: Readonly<Record<string, string>>,
) => Promise<ReadonlyMap<string, LoadedAsset>>;

const MAX_REMEMBERED_BYTES = 64 * 1024 * 1024;

/**
 * Creates a loader that caches the most recently used contents, because all documents of a run use the same few assets.
 */
export function createAssetLoader(db: Knex, files: FileStore): LoadAssets {
  const remembered = new Map<string, LoadedAsset>();
  let rememberedBytes = 0;

  function remember(asset: LoadedAsset): void {
    remembered.set(asset.sha256, asset);
    rememberedBytes += asset.bytes.length;
    for (const [sha256, { bytes }] of remembered) {
      if (rememberedBytes <= MAX_REMEMBERED_BYTES) return;
      remembered.delete(sha256);
      rememberedBytes -= bytes.length;
    }
  }

  async function load(sha256: string): Promise<LoadedAsset> {
    const cached = remembered.get(sha256);
    if (cached) {
      remembered.delete(sha256); // added again below, as the most recently used one
      remembered.set(sha256, cached);
      return cached;
    }
    const content = await findContent(db, sha256);
    const bytes = content && (await files.read(content.fileKey));
    if (!content || !bytes)
      throw new Error(`the content ${sha256} of an asset is missing from the file store`);
    if (createHash("sha256").update(bytes).digest("hex") !== sha256)
      throw new Error(`the content ${sha256} of an asset is damaged in the file store`);
    const asset = { kind: content.kind, bytes, sha256 };
    if (!remembered.has(sha256)) remember(asset);
    return asset;
  }

  return async (versions) => {
    const entries = Object.entries(versions);
    return new Map(
      await Promise.all(entries.map(async ([slug, sha256]) => [slug, await load(sha256)] as const)),
    );
  };
}
