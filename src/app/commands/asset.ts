import type { Command } from "commander";
import { checkSlug } from "#api/services/configurations/asset-handlers.js";
import type { Asset } from "#domain/assets/asset.js";
import { listAssets } from "#domain/assets/asset-store.js";
import { createAssetDeps, removeAsset, uploadAsset } from "#domain/configurations/manage-assets.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { audited } from "./audited.js";
import { print } from "./print.js";
import { readInput } from "./read-input.js";
import { withApp } from "./with-app.js";

const ALL = 1_000_000;

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
        const upload = { slug: checkSlug(slug), bytes: await readInput(file), uploadedBy: COMMAND_LINE.name };
        const about = { others: [`asset:${slug}`] };
        const uploaded = await audited(app, signal, "asset upload", about, () =>
          uploadAsset(createAssetDeps(app), upload, signal),
        );
        print(lineOf(uploaded));
      }),
    );

  asset
    .command("list")
    .description("list all assets: slug, kind, bytes, SHA-256")
    .action(() =>
      withApp(async ({ database }) => print(...(await listAssets(database.knex, 0, ALL)).map(lineOf))),
    );

  asset
    .command("delete")
    .description("delete an asset that no options use; issued credentials keep its content")
    .argument("<slug>", "name by which options refer to the asset")
    .action((slug: string) =>
      withApp(async (app, signal) => {
        const about = { others: [`asset:${checkSlug(slug)}`] };
        await audited(app, signal, "asset delete", about, () =>
          removeAsset(createAssetDeps(app), { slug }, signal),
        );
        print(`deleted ${slug}`);
      }),
    );
}

function lineOf({ slug, kind, size, sha256 }: Asset): string {
  return `${slug}\t${kind}\t${size}\t${sha256}`;
}
