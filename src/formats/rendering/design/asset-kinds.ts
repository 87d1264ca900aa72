import type { AssetKind } from "../generator.js";

export const pictureKinds: readonly AssetKind[] = ["png", "jpeg", "svg"];
/** Kinds that can be the page on which a document is printed. */
export const templateKinds: readonly AssetKind[] = ["pdf", ...pictureKinds];
