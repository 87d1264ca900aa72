import { invalidField, quoted } from "#foundation/errors.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import type { Asset, AssetReference } from "../assets/asset.js";
import { lockAssets } from "../assets/asset-store.js";
import { brandsWithLogo, logoReference } from "../brands/brand.js";
import type { Functions } from "./functions.js";
import { type ConfigurableFunction, type Options, pick } from "./options.js";

export type AssetUse = {
  /** What refers to the asset, for example `credential type 3`, `credential configuration 7`, or `the brand of Uni`. */
  readonly where: string;
  readonly reference: AssetReference;
} & (
  | { readonly by: "type"; readonly id: number; readonly credentialType: string }
  | {
      readonly by: "configuration";
      readonly id: number;
      readonly credentialType: string;
      readonly learningContextKey: string;
    }
  | { readonly by: "brand"; readonly organisation: string }
);

/**
 * Returns the assets that options refer to, and locks them until the transaction ends.
 * @param field the field of the request that contains the options
 * @throws Problem `invalid` for an asset that does not exist, or whose kind does not fit the option
 */
export async function resolveAssets(
  db: Knex.Transaction,
  references: readonly AssetReference[],
  field = "custom_options",
): Promise<ReadonlyMap<string, Asset>> {
  const assets = await lockReferenced(db, references);
  checkReferences(references, assets, field);
  return assets;
}

/** Returns the existing assets by slug, and locks them until the transaction ends. */
export async function lockReferenced(
  db: Knex.Transaction,
  references: readonly AssetReference[],
): Promise<ReadonlyMap<string, Asset>> {
  if (references.length === 0) return new Map();
  const assets = await lockAssets(db, [...new Set(references.map(({ slug }) => slug))]);
  return new Map(assets.map((asset) => [asset.slug, asset]));
}

/** @throws Problem `invalid` for an asset that does not exist, or whose kind does not fit the option */
export function checkReferences(
  references: readonly AssetReference[],
  assets: ReadonlyMap<string, Asset>,
  field = "custom_options",
): void {
  for (const reference of references) {
    const { slug, kinds, option } = reference;
    const asset = assets.get(slug);
    const path = `${field}.${option}`;
    if (!asset) throw invalidField(path, `${path}: there is no asset ${quoted(slug)}; upload it first.`);
    if (!kinds.includes(asset.kind)) {
      throw invalidField(
        path,
        `${path}: asset ${quoted(slug)} is of kind ${asset.kind}; it must be ${describeKinds(reference)}.`,
      );
    }
  }
}

export function describeKinds({ kinds, because }: AssetReference): string {
  return kinds.join(" or ") + (because === undefined ? "" : `, as ${because}`);
}

/**
 * Returns the assets that options name.
 * @param options of a type, or of a configuration merged over its type's options
 */
export function assetsNamed(generation: ConfigurableFunction, options: Options): AssetReference[] {
  return generation.assetsOf?.(pick(options, generation)) ?? [];
}

export async function usesOfAsset(db: Knex, functions: Functions, slug: string): Promise<AssetUse[]> {
  const rows = await queryRows<StoredOptions>(
    db,
    `select 'type' as by, type.id, type.name as "credentialType", '' as "learningContextKey",
       type.generation_func as "generationFunc", type.custom_options as "typeOptions", '{}'::jsonb as options
     from credential_types type
     union all
     select 'configuration', configuration.id, type.name, configuration.learning_context_key, type.generation_func,
       type.custom_options, configuration.custom_options
     from credential_configurations configuration
     join credential_types type on type.id = configuration.credential_type_id`,
  );
  const inOptions = rows.flatMap(({ generationFunc, typeOptions, options, ...user }) =>
    assetsNamed(functions.generation(generationFunc), mergeOptions(typeOptions, options))
      .filter((reference) => reference.slug === slug)
      .map((reference) => ({ ...user, where: `credential ${user.by} ${user.id}`, reference })),
  );
  const brands = await brandsWithLogo(db, slug);
  return [
    ...inOptions,
    ...brands.map((organisation) => ({
      by: "brand" as const,
      organisation,
      where: `the brand of ${organisation || "the service"}`,
      reference: logoReference(slug),
    })),
  ];
}

interface StoredOptions {
  readonly by: "type" | "configuration";
  readonly id: number;
  readonly credentialType: string;
  readonly learningContextKey: string;
  readonly generationFunc: string;
  readonly typeOptions: Options;
  readonly options: Options;
}
