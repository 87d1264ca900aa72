import { AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";

/** Kinds of files that a page can show as pictures. */
export const PICTURES: readonly AssetKind[] = [AssetKind.PNG, AssetKind.JPEG, AssetKind.SVG];

const formats: Readonly<Record<number, { readonly type: string; readonly ending: string }>> = {
  [AssetKind.PDF]: { type: "application/pdf", ending: "pdf" },
  [AssetKind.PNG]: { type: "image/png", ending: "png" },
  [AssetKind.JPEG]: { type: "image/jpeg", ending: "jpg" },
  [AssetKind.SVG]: { type: "image/svg+xml", ending: "svg" },
  [AssetKind.FONT]: { type: "font/sfnt", ending: "ttf" },
};

export function formatOf(kind: AssetKind): { readonly type: string; readonly ending: string } {
  return formats[kind] ?? { type: "", ending: "" };
}
