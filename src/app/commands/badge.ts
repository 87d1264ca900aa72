import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { badgeHandlers } from "#api/services/credentials/document-handlers.js";
import { numbersByName } from "#api/services/requests/parse-enum.js";
import { type BadgeFileFormat, badgeFileFormats } from "#domain/credentials/badges/badge-file.js";
import { publishAllKeys } from "#domain/credentials/badges/issuer-key-store.js";
import { createMakeBadge } from "#domain/credentials/badges/make-badge.js";
import { bakePng } from "#formats/badges/bake-png.js";
import { bakeSvg } from "#formats/badges/bake-svg.js";
import { invalid } from "#foundation/errors.js";
import {
  CredentialService,
  VerifiableCredentialFormat,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { localClient } from "./local-client.js";
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
        const { database, signingKeys, publicUrl } = app;
        const image = picture === undefined ? undefined : await readInput(picture);
        const makeBadge = createMakeBadge({ database, signingKeys, publicUrl });
        if (signingKeys) await publishAllKeys(database.knex, signingKeys);
        const handlers = badgeHandlers({ database, makeBadge });
        const client = localClient(app, signal, "badge", CredentialService, handlers);
        const { content } = await client.getVerifiableCredential({ uuid, format: formatOf(format, image) });
        const file = image ? baked(picture ?? "", image, Buffer.from(content).toString()) : content;
        if (output === undefined) process.stdout.write(file);
        else {
          await writeFile(output, file);
          print(output);
        }
      }),
    );
}

/** Returns the format to request. A badge that will be embedded in the user's image is requested as text. */
function formatOf(format: BadgeFileFormat, image: Buffer | undefined): VerifiableCredentialFormat {
  return numbersByName(VerifiableCredentialFormat)[image && format !== "jwt" ? "json" : format];
}

function baked(name: string, image: Buffer, badge: string): Uint8Array | string {
  try {
    return image[0] === 0x89 ? bakePng(image, badge) : bakeSvg(image.toString("utf8"), badge);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid(`${name}: ${error.message}.`, error);
  }
}
