import type { App } from "../app.js";
import type { AssetDeps } from "../configurations/manage-assets.js";
import { createInspectAsset } from "./inspection/inspect-asset.js";

/** Returns the dependencies for managing assets. */
export function assetDeps({ config, database, functions, files }: App): AssetDeps {
  return {
    database,
    functions,
    files,
    inspectAsset: createInspectAsset(),
    assetDir: `${config.outputDir}_assets`,
  };
}
