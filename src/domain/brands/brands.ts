import type { Knex } from "knex";
import type { LoadedAsset } from "../assets/asset.js";
import type { LoadAssets } from "../assets/load-assets.js";
import { brandTexts, type CurrentBrand, listBrands, wasLogo } from "./brand.js";

/** The brands as this process knows them: at most some seconds old, and there while the database is not. */
export interface Brands {
  /** The brand of an organisation, filled up with that of the whole service. */
  of(organisation: string): CurrentBrand;
  /** Returns a logo by its SHA-256, in hexadecimal; undefined if no brand has it, or has ever had it. */
  logo(sha256: string): Promise<LoadedAsset | undefined>;
  /** Reads them again. */
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
