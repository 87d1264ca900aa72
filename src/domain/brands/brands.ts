import type { Knex } from "knex";
import type { LoadedAsset } from "../assets/asset.js";
import type { LoadAssets } from "../assets/load-assets.js";
import { brandTexts, type CurrentBrand, listBrands, wasLogo } from "./brand.js";

/**
 * The brands cached in this process. They are at most some seconds old, and stay available while the database is not.
 */
export interface Brands {
  /** Returns the brand of an organisation, with empty values taken from the whole service. */
  of(organisation: string): CurrentBrand;
  /** Returns a logo by its SHA-256, in hexadecimal; undefined if it was never the logo of a brand. */
  logo(sha256: string): Promise<LoadedAsset | undefined>;
  /** Reads the brands again. */
  refresh(): Promise<void>;
}

export function createBrands(db: Knex, loadAssets: LoadAssets): Brands {
  let brands: ReadonlyMap<string, CurrentBrand> = new Map();
  return {
    of(organisation) {
      const [own, shared] = [brands.get(organisation), brands.get("")];
      const texts = brandTexts.map((field) => [field, own?.[field] || shared?.[field] || ""]);
      const logoSha256 = (own?.logo ? own : shared)?.logoSha256 ?? null;
      return { organisation: own ? organisation : "", ...Object.fromEntries(texts), logoSha256 };
    },

    async logo(sha256) {
      const isShown = [...brands.values()].some(({ logoSha256 }) => logoSha256 === sha256);
      return isShown || (await wasLogo(db, sha256))
        ? (await loadAssets({ logo: sha256 })).get("logo")
        : undefined;
    },

    async refresh() {
      brands = new Map((await listBrands(db)).map((brand) => [brand.organisation, brand]));
    },
  };
}
