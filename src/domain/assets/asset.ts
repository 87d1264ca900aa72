import type { AssetKind, CharacterRanges } from "#formats/rendering/generator.js";

export type { AssetReference, LoadedAsset } from "#formats/rendering/generator.js";
export type { AssetKind };

/** A file used in designs. Options refer to it by its slug. */
export interface Asset {
  /** Ids ascend in the order in which slugs were first used. */
  readonly id: number;
  readonly slug: string;
  readonly kind: AssetKind;
  /** SHA-256 of the content, in lower-case hexadecimal. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly uploadedAt: Date;
  /** The characters of a font; null for other kinds. */
  readonly characters: CharacterRanges | null;
}
