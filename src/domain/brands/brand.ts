import { columnOf, columnsOf } from "#infrastructure/db/columns.js";
import {
  execute,
  hasRows,
  type Knex,
  queryRow,
  queryRows,
  queryValue,
  queryValues,
} from "#infrastructure/db/query.js";
import type { AssetReference } from "../assets/asset.js";

/** Branding of pages and emails. If a text is empty, the text of the whole service is used. */
export interface Brand {
  /** The `org` part of context keys; empty for the whole service. */
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

export interface CurrentBrand extends Brand {
  /** SHA-256 of the logo, in hexadecimal; null without a logo. */
  readonly logoSha256: string | null;
}

/** The size is limited because every page and email may contain the logo. */
export const MAX_LOGO_BYTES = 200 * 1024;

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

export const brandTexts = brandColumns.fields.filter((field) => field !== "organisation");

/** Lists brands ordered by organisation. The brand of the whole service comes first. */
export async function listBrands(db: Knex): Promise<CurrentBrand[]> {
  return queryRows<CurrentBrand>(
    db,
    `select ${brandColumns.selected}, encode(assets.sha256, 'hex') as "logoSha256"
     from brands left join assets on assets.slug = brands.logo order by organisation`,
  );
}

/** The brand for documents and badges. Empty values are replaced by the values of the whole service. */
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

/** If an asset is a brand's logo, records its current content, so that the content stays available under its hash. */
export async function storeLogo(db: Knex.Transaction, slug: string): Promise<void> {
  await execute(
    db,
    `insert into brand_logos (sha256)
     select sha256 from assets where slug = ? and exists (select from brands where brands.logo = assets.slug)
     on conflict do nothing`,
    [slug],
  );
}

/** Returns whether a content was ever the logo of a brand. @param sha256 of the content, in hexadecimal */
export async function wasLogo(db: Knex, sha256: string): Promise<boolean> {
  return hasRows(db, "select from brand_logos where sha256 = decode(?, 'hex')", [sha256]);
}

export async function lockBrand(db: Knex.Transaction, organisation: string): Promise<Brand | undefined> {
  await execute(db, "lock table brands in share row exclusive mode"); // locks the table, because the row may not exist yet
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

export function brandsWithLogo(db: Knex, slug: string): Promise<string[]> {
  return queryValues<string>(db, "select organisation from brands where logo = ? order by organisation", [
    slug,
  ]);
}
