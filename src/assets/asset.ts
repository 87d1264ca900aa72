import type { CharacterRanges } from "../rendering/generator.js";

/** What a file of an institution can be. */
export type AssetKind = "pdf" | "png" | "jpeg" | "svg" | "font";

/** A file that designs are made of, under the slug by which options name it. */
export interface Asset {
  /** The order in which slugs were first used. */
  readonly id: number;
  readonly slug: string;
  readonly kind: AssetKind;
  /** Of the content; lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly uploadedAt: Date;
  /** The characters of a font; null for other kinds, and where they were not looked at when it was uploaded. */
  readonly characters: CharacterRanges | null;
}

/** The content of an asset, as generators get it. */
export interface LoadedAsset {
  readonly kind: AssetKind;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Where options name an asset, and what it may be there. */
export interface AssetReference {
  readonly slug: string;
  readonly kinds: readonly AssetKind[];
  /** Such as `text_elements.name.font`. */
  readonly option: string;
}
