import type { Knex } from "#infrastructure/db/query.js";
import type { LoadedAsset } from "../assets/asset.js";
import { findAssets } from "../assets/asset-store.js";
import type { LoadAssets } from "../assets/load-assets.js";
import {
  brandTexts,
  type CurrentBrand,
  listBrands,
  logoReference,
  MAX_LOGO_BYTES,
  wasLogo,
} from "./brand.js";

/** The brands cached in this process. They are at most some seconds old, and available without the database. */
export interface Brands {
  /** Returns the brand of an organisation. Empty values are replaced by the values of the whole service. */
  of(organisation: string): CurrentBrand;
  /** Returns a logo by its SHA-256 in hexadecimal, or `undefined` if no brand ever had it. */
  logo(sha256: string): Promise<LoadedAsset | undefined>;
  /** Returns the asset that a brand with this logo would show, or `undefined` if the asset can't be a logo. */
  logoNamed(slug: string): Promise<LoadedAsset | undefined>;
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

    async logoNamed(slug) {
      const [asset] = slug === "" ? [] : await findAssets(db, [slug]);
      if (!asset || !logoReference(slug).kinds.includes(asset.kind) || asset.size > MAX_LOGO_BYTES) return;
      return (await loadAssets({ logo: asset.sha256 })).get("logo");
    },

    async refresh() {
      brands = new Map((await listBrands(db)).map((brand) => [brand.organisation, brand]));
    },
  };
}
