import type { CharacterRanges } from "../rendering/generator.js";

/** The kinds of an institution's files. */
export type AssetKind = "pdf" | "png" | "jpeg" | "svg" | "font";

/** A file used in designs. Options refer to it by its slug. */
export interface Asset {
  /** Follows the order in which slugs were first used. */
  readonly id: number;
  readonly slug: string;
  readonly kind: AssetKind;
  /** SHA-256 of the content, lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly uploadedAt: Date;
  /** The characters of a font; null for other kinds. */
  readonly characters: CharacterRanges | null;
}

/** The content of an asset, as generators receive it. */
export interface LoadedAsset {
  readonly kind: AssetKind;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** A reference to an asset in options, and the kinds that the asset may have. */
export interface AssetReference {
  readonly slug: string;
  readonly kinds: readonly AssetKind[];
  /** Such as `text_elements.name.font`. */
  readonly option: string;
  /** Why only these kinds, where another option decides it, such as `pdf_a is true`. */
  readonly because?: string;
}
