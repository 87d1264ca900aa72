import type { Knex } from "knex";
import { columnOf, columnsOf } from "#infrastructure/db/columns.js";
import { execute, hasRows, queryRow, queryRows, queryValue, queryValues } from "#infrastructure/db/query.js";
import type { AssetReference } from "../assets/asset.js";

/** How pages and emails about an organisation's credentials look. An empty text: as everywhere else. */
export interface Brand {
  /** The `org` part of context keys; empty: the whole service. */
  readonly organisation: string;
  readonly name: string;
  /** `#rrggbb` in lower case. */
  readonly accentColor: string;
  /** Slug of an asset. */
  readonly logo: string;
  /** An email address, or an address with https. */
  readonly contact: string;
  /** Who is responsible, by law: an address with https. */
  readonly imprintUrl: string;
}

/** A brand as it is shown. */
export interface CurrentBrand extends Brand {
  /** Of the logo, in hexadecimal; null without a logo. */
  readonly logoSha256: string | null;
}

/** The logo of a brand as an option of it refers to its asset. */
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

/** The texts of a brand. Where one is empty, that of the whole service is shown. */
export const brandTexts = brandColumns.fields.filter((field) => field !== "organisation");

/** Lists all brands by organisation; that of the whole service is the first. */
export async function listBrands(db: Knex): Promise<CurrentBrand[]> {
  return queryRows<CurrentBrand>(
    db,
    `select ${brandColumns.selected}, encode(assets.sha256, 'hex') as "logoSha256"
     from brands left join assets on assets.slug = brands.logo order by organisation`,
  );
}

/** What the brand of an organisation, filled up with that of the whole service, says of documents and badges. */
export type IssuingBrand = Omit<CurrentBrand, "organisation">;

/** SQL: an `IssuingBrand` as JSON for an organisation, which is an expression. */
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

/** Keeps today's content of an asset reachable as a logo, if it is the logo of a brand. */
export async function storeLogo(db: Knex.Transaction, slug: string): Promise<void> {
  await execute(
    db,
    `insert into brand_logos (sha256)
     select sha256 from assets where slug = ? and exists (select from brands where brands.logo = assets.slug)
     on conflict do nothing`,
    [slug],
  );
}

/** Returns whether this content, a SHA-256 in hexadecimal, was the logo of a brand at some time. */
export async function wasLogo(db: Knex, sha256: string): Promise<boolean> {
  return hasRows(db, "select from brand_logos where sha256 = decode(?, 'hex')", [sha256]);
}

/** Locks the brand of an organisation until the transaction ends; undefined: it has none. */
export async function lockBrand(db: Knex.Transaction, organisation: string): Promise<Brand | undefined> {
  await execute(db, "lock table brands in share row exclusive mode"); // what is not there can't be locked
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
