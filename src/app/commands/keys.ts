import { join, resolve } from "node:path";
import { Argument, type Command, InvalidArgumentError } from "commander";
import { issuerOf } from "#domain/credentials/badges/issuer.js";
import {
  countSignedBy,
  type IssuerKey,
  listIssuerKeys,
  type PublishedKey,
  publishKeys,
  revokeKey,
} from "#domain/credentials/badges/issuer-key-store.js";
import {
  type IssuerKeys,
  newStoredName,
  settingOf,
  storedKeysDirectory,
  writeNewKey,
} from "#domain/keys/signing-keys.js";
import { keyUrl } from "#formats/badges/did-document.js";
import type { KeyAlgorithm, PublicKey } from "#formats/badges/public-key.js";
import { failedPrecondition, invalid, Problem, printable } from "#foundation/errors.js";
import { isOrganisation, ORGANISATION_RULE } from "#foundation/text/organisation.js";
import type { App } from "../app.js";
import { audited } from "./audited.js";
import { addYesOption, confirm, shouldConfirm } from "./confirm.js";
import { withApp } from "./with-app.js";

/** Algorithms by their names on the command line. */
const algorithms: Readonly<Record<string, KeyAlgorithm>> = { ed25519: "Ed25519", "p-256": "P-256" };

const MAX_REASON = 500;

export function addCommand(program: Command): void {
  const keys = program
    .command("keys")
    .description("list, create and revoke the keys that sign Open Badges and status lists");

  addList(keys);
  addNew(keys);
  addRevoke(keys);
}

function addList(keys: Command): void {
  keys
    .command("list")
    .description(
      "list every key that was ever published: state, algorithm, date, ID, and reason of revocation",
    )
    .addHelpText(
      "after",
      `
signs      the first of its kind in SIGNING_KEY_FILES: it signs new badges
held       another key in SIGNING_KEY_FILES: it is used to repair files that it has signed
published  its file is not here: badges that it has signed still verify
revoked    badges that it has signed no longer verify`,
    )
    .action(() =>
      withApp(async (app) => {
        const issuerKeys = await listIssuerKeys(app.database.knex);
        for (const key of issuerKeys) process.stdout.write(`${lineOf(key, app)}\n`);
      }),
    );
}

function addNew(keys: Command): void {
  keys
    .command("new")
    .description("create a key and publish its public part, so that verifiers know it before it is used")
    .addArgument(
      new Argument("<algorithm>", "ed25519 for badges and status lists, p-256 for JWTs").choices(
        Object.keys(algorithms),
      ),
    )
    .argument("[file]", "output file (default with the embedded database: the data directory)")
    .option(
      "--organisation <org>",
      "create the key for this organisation, which issues under its own name (ISSUERS_FILE)",
    )
    .addHelpText(
      "after",
      `
ed25519 signs badges and status lists; p-256 signs JWTs. To sign with the new key, put it before the others in
SIGNING_KEY_FILES, and restart the service. (On the embedded database, a restart is enough.) Verifiers cache the keys
for up to five minutes: wait that long before the restart. Keep the old file behind the new one while files that it has
signed may need a repair.`,
    )
    .action((algorithm: string, file: string | undefined, { organisation }: { organisation?: string }) =>
      withApp(async (app, signal) => {
        if (organisation !== undefined) checkOrganisation(organisation);
        const path = pathOf(algorithms[algorithm] as KeyAlgorithm, file, app, organisation);
        await audited(app, signal, "keys new", {}, async (recordObjects) => {
          const key = await writeNewKey(path, algorithms[algorithm] as KeyAlgorithm);
          await recordObjects({ others: [`key:${key.fragment}`] });
          await publishKeys(app.database.knex, [key], organisation);
          process.stdout.write(`${path}\n`);
          process.stderr.write(`published ${idOf({ ...key, organisation }, app)}\n`);
        });
      }),
    );
}

function addRevoke(keys: Command): void {
  addYesOption(
    keys
      .command("revoke")
      .description("revoke a compromised key: badges signed with it no longer verify")
      .argument("<key>", "key ID, or the part of it after #", fragmentOf)
      .argument("<reason>", "reason, for your own records", parseReason),
  )
    .addHelpText(
      "after",
      `
Running processes stop signing with it within five seconds, and verifiers see the revocation within five minutes. Credentials
whose files contain a badge signed by it must be reissued, by ReissueCredentials or in the console. This can't be undone.
If the key itself is the issuer (did:key, without https), verifiers can't learn of the revocation.`,
    )
    .action((fragment: string, reason: string, options: { yes: boolean }) =>
      withApp(async (app, signal) => {
        const { knex } = app.database;
        const issuerKey = (await listIssuerKeys(knex)).find(({ key }) => key.fragment === fragment);
        if (!issuerKey)
          throw new Problem("not-found", `No key ${fragment} was ever published here: see \`keys list\`.`);
        if (issuerKey.revokedAt) throw invalid(`${fragment} was revoked on ${dayOf(issuerKey.revokedAt)}.`);
        const files = await countSignedBy(knex, fragment);
        const summary = `${files} credentials in force have a file with a badge signed by ${idOf(issuerKey.key, app)}`;
        if (shouldConfirm(options)) await confirm(`${summary}. Revoke it permanently?`, signal);
        await audited(app, signal, "keys revoke", { others: [`key:${fragment}`] }, async () => {
          if (!(await revokeKey(knex, fragment, reason)))
            throw failedPrecondition(`${fragment} has been revoked in the meantime.`);
        });
        process.stdout.write(`revoked ${fragment}\n${summary}\n`);
      }),
    );
}

function lineOf({ key, publishedAt, revokedAt, revocationReason }: IssuerKey, app: App): string {
  const state = revokedAt ? "revoked" : stateOf(key, app.signingKeys?.of(key.organisation));
  const why = revokedAt ? [dayOf(revokedAt), printable(revocationReason ?? "")] : [];
  return [state, key.algorithm, dayOf(publishedAt), idOf(key, app), ...why].join("\t");
}

function stateOf(key: PublicKey, held: IssuerKeys | undefined): string {
  if (held?.first(key.algorithm)?.fragment === key.fragment) return "signs";
  return held?.all.some(({ fragment }) => fragment === key.fragment) ? "held" : "published";
}

/**
 * Returns the DID URL of a key, or only its fragment if the service has no did:web, which requires HTTPS and signing
 * keys.
 */
function idOf(key: PublishedKey, { signingKeys, publicUrl }: App): string {
  const isWeb = publicUrl.startsWith("https:");
  if (!isWeb || !signingKeys) return key.fragment;
  const { organisation } = key;
  return keyUrl(issuerOf(signingKeys.own, publicUrl, { organisation }).did, key);
}

function pathOf(
  algorithm: KeyAlgorithm,
  file: string | undefined,
  { config }: App,
  organisation: string | undefined,
): string {
  if (file !== undefined) return resolve(file);
  const keeps = config.databaseUrl === undefined && config.signingKeyFiles.length === 0;
  if (keeps && organisation === undefined)
    return join(storedKeysDirectory(config.dataDir), newStoredName(algorithm, new Date()));
  throw invalid(`Name the file to create the key in, and add that file to ${settingOf(organisation)}, too.`);
}

function checkOrganisation(organisation: string): void {
  if (isOrganisation(organisation)) return;
  throw invalid(`${printable(organisation)} is not ${ORGANISATION_RULE}`);
}

function fragmentOf(key: string): string {
  return key.slice(key.indexOf("#") + 1);
}

function parseReason(text: string): string {
  const reason = text.trim();
  if (reason !== "" && reason.length <= MAX_REASON) return reason;
  throw new InvalidArgumentError(`It must have 1 to ${MAX_REASON} characters.`);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
