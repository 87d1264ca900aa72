import type { Command } from "commander";
import type { Act } from "#api/pipeline/recorded-act.js";
import { assetHandlers } from "#api/services/configurations/asset-handlers.js";
import type { Asset } from "#domain/assets/asset.js";
import { findAssets, listAssets } from "#domain/assets/asset-store.js";
import { createAssetDeps } from "#domain/configurations/manage-assets.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { App } from "../app.js";
import { localClient } from "./local-client.js";
import { print } from "./print.js";
import { readInput } from "./read-input.js";
import { withApp } from "./with-app.js";

const UNLIMITED = 1_000_000;

export function addCommand(program: Command): void {
  const asset = program
    .command("asset")
    .description("manage the assets of designs: page templates, images, fonts");

  asset
    .command("upload")
    .description("upload a PDF page, a PNG, JPEG or SVG image, or a TrueType or OpenType font")
    .argument("<slug>", "name by which options refer to the asset")
    .argument("<file>", "file; its type is detected from its content")
    .action((slug: string, file: string) =>
      withApp(async (app, signal) => {
        const content = await readInput(file);
        await clientOf(app, signal, "asset upload").uploadAsset([
          { part: { case: "header", value: { slug, size: content.length } } },
          { part: { case: "chunk", value: content } },
        ]);
        print(...(await findAssets(app.database.knex, [slug])).map(lineOf));
      }),
    );

  asset
    .command("list")
    .description("list all assets: slug, kind, bytes, SHA-256")
    .action(() =>
      withApp(async ({ database }) => print(...(await listAssets(database.knex, 0, UNLIMITED)).map(lineOf))),
    );

  asset
    .command("delete")
    .description("delete an asset that no options use; issued credentials keep its content")
    .argument("<slug>", "name by which options refer to the asset")
    .action((slug: string) =>
      withApp(async (app, signal) => {
        await clientOf(app, signal, "asset delete").deleteAsset({ slug });
        print(`deleted ${slug}`);
      }),
    );
}

function clientOf(app: App, signal: AbortSignal, act: Act) {
  const { uploadAsset, deleteAsset } = assetHandlers(createAssetDeps(app));
  return localClient(app, signal, act, ConfigurationService, { uploadAsset, deleteAsset });
}

function lineOf({ slug, kind, size, sha256 }: Asset): string {
  return `${slug}\t${kind}\t${size}\t${sha256}`;
}
