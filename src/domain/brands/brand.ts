import type { Knex } from "knex";
import { columnOf, columnsOf } from "#infrastructure/db/columns.js";
import { execute, hasRows, queryRow, queryRows, queryValue, queryValues } from "#infrastructure/db/query.js";
import type { AssetReference } from "../assets/asset.js";

/**
 * The branding of pages and emails about an organisation's credentials. An empty text inherits the value of the whole
 * service.
 */
export interface Brand {
  /** The `org` part of context keys; empty: the whole service. */
  readonly organisation: string;
  readonly name: string;
  /** `#rrggbb` in lower case. */
  readonly accentColor: string;
  /** Slug of an asset. */
  readonly logo: string;
  /** An email address, or an https URL. */
  readonly contact: string;
  /** https URL of the legal notice, which names the responsible person or company. */
  readonly imprintUrl: string;
}

/** A stored brand, as it is shown. */
export interface CurrentBrand extends Brand {
  /** SHA-256 of the logo, in hexadecimal; null without a logo. */
  readonly logoSha256: string | null;
}

/** Returns a brand's reference to the asset of its logo. */
export function logoReference(slug: string): AssetReference {
  return { option: "logo", slug, kinds: ["png", "jpeg"], because: "pages and emails show it" };
}

export const brandColumns = columnsOf<Brand>("brands", {
  organisation: {},
  name: {},
  accentColor: {},
  logo: { read: "coalesce(logo, '')", write: "nullif(logo, '')" },
  contact: {},
  imprintUrl: {},
});

/** The texts of a brand. An empty one inherits the text of the whole service. */
export const brandTexts = brandColumns.fields.filter((field) => field !== "organisation");

/** Lists all brands by organisation; the brand of the whole service comes first. */
export async function listBrands(db: Knex): Promise<CurrentBrand[]> {
  return queryRows<CurrentBrand>(
    db,
    `select ${brandColumns.selected}, encode(assets.sha256, 'hex') as "logoSha256"
     from brands left join assets on assets.slug = brands.logo order by organisation`,
  );
}

/** The brand for an organisation's documents and badges, with empty values taken from the whole service. */
export type IssuingBrand = Omit<CurrentBrand, "organisation">;

/** SQL: an `IssuingBrand` as JSON. `organisation` is an SQL expression. */
export function issuingBrandSql(organisation: string): string {
  const first = (column: string) =>
    `coalesce((array_agg(${column} order by organisation desc) filter (where ${column} <> ''))[1], '')`;
  return `(
    select jsonb_build_object(
      ${brandTexts.map((field) => `'${field}', ${first(columnOf(field))}`).join(", ")},
      'logoSha256', (array_agg(encode(sha256, 'hex') order by organisation desc) filter (where logo is not null))[1]
    )
    from brands left join assets on assets.slug = brands.logo where organisation in (${organisation}, '')
  )`;
}

export async function readIssuingBrand(db: Knex, organisation: string): Promise<IssuingBrand> {
  return queryValue<IssuingBrand>(db, `select ${issuingBrandSql("?")} as brand`, [organisation]);
}

/** Records the current content of an asset, if it is a brand's logo, so that it stays available under its hash. */
export async function storeLogo(db: Knex.Transaction, slug: string): Promise<void> {
  await execute(
    db,
    `insert into brand_logos (sha256)
     select sha256 from assets where slug = ? and exists (select from brands where brands.logo = assets.slug)
     on conflict do nothing`,
    [slug],
  );
}

/** Returns whether this content, given by its SHA-256 in hexadecimal, was ever the logo of a brand. */
export async function wasLogo(db: Knex, sha256: string): Promise<boolean> {
  return hasRows(db, "select from brand_logos where sha256 = decode(?, 'hex')", [sha256]);
}

/** Locks the brand of an organisation until the transaction ends; undefined if it has none. */
export async function lockBrand(db: Knex.Transaction, organisation: string): Promise<Brand | undefined> {
  await execute(db, "lock table brands in share row exclusive mode"); // a missing row can't be locked
  return queryRow<Brand>(db, `select ${brandColumns.selected} from brands where organisation = ?`, [
    organisation,
  ]);
}

export async function putBrand(db: Knex.Transaction, brand: Brand): Promise<void> {
  await execute(
    db,
    `insert into brands (${brandColumns.names}) ${brandColumns.parameterOf(":brand")}
     on conflict (organisation) do update set (${brandColumns.names}) = ${brandColumns.parameterOf(":brand")}`,
    { brand: brandColumns.json(brand) },
  );
}

export async function deleteBrand(db: Knex.Transaction, organisation: string): Promise<void> {
  await execute(db, "delete from brands where organisation = ?", [organisation]);
}

export function countBrands(db: Knex): Promise<number> {
  return queryValue<number>(db, "select count(*) as count from brands");
}

/** Lists the brands that have this asset as their logo. */
export function brandsWithLogo(db: Knex, slug: string): Promise<string[]> {
  return queryValues<string>(db, "select organisation from brands where logo = ? order by organisation", [
    slug,
  ]);
}
