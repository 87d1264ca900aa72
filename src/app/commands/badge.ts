import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import {
  type BadgeFileFormat,
  badgeFileFormats,
  makeBadgeFile,
} from "#domain/credentials/badges/badge-file.js";
import { publishAllKeys } from "#domain/credentials/badges/issuer-key-store.js";
import { createMakeBadge } from "#domain/credentials/badges/make-badge.js";
import { getCredential } from "#domain/credentials/get-credential.js";
import { bakePng } from "#formats/badges/bake-png.js";
import { bakeSvg } from "#formats/badges/bake-svg.js";
import { invalid } from "#foundation/errors.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import { audited } from "./audited.js";
import { oneOf } from "./option-values.js";
import { print } from "./print.js";
import { readInput } from "./read-input.js";
import { withApp } from "./with-app.js";

interface BadgeOptions {
  readonly output?: string;
  readonly format: BadgeFileFormat;
  readonly picture?: string;
}

export function addCommand(program: Command): void {
  program
    .command("badge")
    .description("export the Open Badge 3.0 of a credential, for wallets and verifiers")
    .argument("<uuid>", "the credential's uuid (not its verification UUID)")
    .option("-o, --output <file>", "output file (default: standard output)")
    .option(
      "--format <format>",
      "json, png, svg, or jwt, which requires a PUBLIC_URL with https",
      oneOf(badgeFileFormats),
      "json",
    )
    .option("--picture <file>", "your own PNG or SVG image to put the badge into")
    .action((uuid: string, { output, format, picture }: BadgeOptions) =>
      withApp(async (app, signal) => {
        const { database, signingKeys } = app;
        const image = picture === undefined ? undefined : await readInput(picture);
        const makeBadge = createMakeBadge({
          database: app.database,
          signingKeys: app.signingKeys,
          publicUrl: app.publicUrl,
        });
        const badge = await audited(app, signal, "badge", { others: [`credential:${uuid}`] }, async () => {
          const credential = await inSnapshot(database, signal, (transaction) =>
            getCredential(transaction, uuid),
          );
          if (signingKeys) await publishAllKeys(database.knex, signingKeys);
          return (await makeBadgeFile(makeBadge, credential, image ? asText(format) : format)).content;
        });
        const file = image ? baked(picture ?? "", image, badge.toString()) : badge;
        if (output === undefined) process.stdout.write(file);
        else {
          await writeFile(output, file);
          print(output);
        }
      }),
    );
}

/** Returns the format of the badge that a given picture will contain. */
function asText(format: BadgeFileFormat): BadgeFileFormat {
  return format === "jwt" ? "jwt" : "json";
}

function baked(name: string, image: Buffer, badge: string): Uint8Array | string {
  try {
    return image[0] === 0x89 ? bakePng(image, badge) : bakeSvg(image.toString("utf8"), badge);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid(`${name}: ${error.message}.`, error);
  }
}
