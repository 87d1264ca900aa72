import type { App } from "./app.js";
import { createInspectAsset } from "./configurations/assets/inspect-asset.js";
import type { AssetParts } from "./configurations/assets/manage-assets.js";

/** What managing assets needs. */
export function assetParts({ config, database, functions, files }: App): AssetParts {
  return {
    database,
    functions,
    files,
    inspectAsset: createInspectAsset(),
    assetDir: `${config.outputDir}_assets`,
  };
}
