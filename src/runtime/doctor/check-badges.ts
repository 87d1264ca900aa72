import { isDeepStrictEqual } from "node:util";
import {
  type IssuerKey,
  listIssuerKeys,
  type PublishedKey,
} from "#domain/credentials/badges/issuer-key-store.js";
import { type ComposeBadge, createComposeBadge } from "#domain/credentials/badges/make-badge.js";
import type { Credential } from "#domain/credentials/credential.js";
import { type CredentialFilter, listCredentials } from "#domain/credentials/credential-store.js";
import { type SigningKeys, settingOf } from "#domain/keys/signing-keys.js";
import { isSignedBy } from "#formats/badges/data-integrity.js";
import { didKey, didWeb } from "#formats/badges/did-document.js";
import { issuerUrl } from "#formats/badges/issuer-url.js";
import { idOf } from "#formats/badges/read-badge.js";
import { unbakePdf } from "#formats/badges/unbake-pdf.js";
import { statusSql } from "#foundation/credential-status.js";
import { counted } from "#foundation/text/counted.js";
import { queryRows } from "#infrastructure/db/query.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import type { DoctorDeps } from "./doctor-deps.js";
import { BATCH, examine, isUnchanged } from "./examine.js";
import type { Finding } from "./finding.js";

const { isAvailable } = statusSql();

const IN_FORCE: CredentialFilter = {
  username: "",
  learningContextKey: "",
  configurationId: 0,
  statuses: ["available"],
};

/**
 * Checks that signing keys are available, and that the keys of existing badges are published and not revoked. If
 * `readsFiles` is true, also compares the badge in each file with the credential's row, except in encrypted files.
 */
export async function* checkBadges(
  { database, files, signingKeys }: Pick<DoctorDeps, "database" | "files" | "signingKeys">,
  readsFiles: boolean,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const published = new Map<string, IssuerKey>();
  for (const issuerKey of await listIssuerKeys(database.knex))
    published.set(issuerKey.key.fragment, issuerKey);
  for (const { fragment, setting } of keysOf(signingKeys)) {
    if (!published.has(fragment)) yield { kind: "unpublished-key", detail: `${fragment} is in ${setting}` };
  }
  const rows = await queryRows<{ fragment: string; count: number }>(
    database.knex,
    `select badge_key as fragment, count(*)::float8 as count from credentials
     where badge_key is not null and ${isAvailable} group by 1 order by 1`,
  );
  for (const { fragment, count } of rows) {
    const files = `${counted(count, "file contains a badge", "files contain badges")} signed by ${fragment}`;
    const key = published.get(fragment);
    if (!key) yield { kind: "unpublished-key", detail: files };
    else if (key.revokedAt)
      yield { kind: "revoked-key", detail: `${files}, revoked on ${key.revokedAt.toISOString()}` };
  }
  if (rows.length > 0 && !signingKeys?.own.first("Ed25519")) {
    yield { kind: "missing-signing-key", detail: "every Ed25519 key here is revoked, or there is none" };
  }
  // A missing key also prevents signing the organisation's status lists.
  for (const organisation of signingOrganisations(rows, published)) {
    if (signingKeys?.of(organisation)?.first("Ed25519")) continue;
    const detail = `every Ed25519 key of ${organisation} here is revoked, or there is none: see ISSUERS_FILE`;
    yield { kind: "missing-signing-key", detail };
  }
  if (!readsFiles || rows.length === 0) return;
  const compose = createComposeBadge({ database });
  const { knex } = database;
  const examined = {
    first: 0,
    read: (after: number) => listCredentials(knex, IN_FORCE, after, BATCH, { withResults: true }),
    keyOf: ({ id }: Credential) => id,
    faultOf: (credential: Credential) => faultOf(credential, { files, published, compose }),
  };
  for await (const { item, fault } of examine(examined, signal)) {
    const { uuid: credentialUuid, status, fileKey } = item;
    if (fileKey !== null && (await isUnchanged(knex, { uuid: credentialUuid, status, fileKey })))
      yield { kind: "mismatched-badge", credentialUuid, fileKey, detail: fault };
  }
}

function* keysOf(keys: SigningKeys | undefined): Generator<{ fragment: string; setting: string }> {
  for (const [organisation, { all }] of keys?.issuers ?? [])
    for (const { fragment } of all) yield { fragment, setting: settingOf(organisation || undefined) };
}

/** Returns the organisations whose keys signed badges in files. */
function signingOrganisations(
  rows: readonly { fragment: string }[],
  published: ReadonlyMap<string, IssuerKey>,
): Set<string> {
  const signing = rows.map(({ fragment }) => published.get(fragment)?.key.organisation);
  return new Set(signing.filter((organisation) => organisation !== undefined).sort());
}

interface Known {
  readonly files: FileStore;
  readonly published: ReadonlyMap<string, IssuerKey>;
  readonly compose: ComposeBadge;
}

/** Returns what is wrong with the badge in a credential's file, if anything. Missing files are reported elsewhere. */
async function faultOf(
  credential: Credential,
  { files, published, compose }: Known,
): Promise<string | undefined> {
  const { badgeKey, fileKey, options } = credential;
  if (badgeKey === null || fileKey === null || options.encrypt === true) return undefined;
  const key = published.get(badgeKey)?.key;
  const file = await files.read(fileKey);
  if (!key || !file) return undefined;
  const badge = badgeIn(file);
  if (badge === undefined) return `${fileKey} contains no badge, or several different ones`;
  if (!isSignedBy(badge, key)) return `the badge in ${fileKey} is not signed by ${badgeKey}`;
  const { proof: _, ...unsigned } = badge;
  const did = idOf(unsigned.issuer) ?? "";
  const publicUrl = publicUrlIn(unsigned);
  if (!isIssuer(did, publicUrl, key)) return `the badge in ${fileKey} names another issuer`;
  return isDeepStrictEqual(unsigned, await compose(credential, { did, publicUrl }))
    ? undefined
    : `the badge in ${fileKey} does not match the credential's row`;
}

/** Returns the URL that the service had when it issued the badge. The badge's evidence contains it. */
function publicUrlIn({ evidence }: Readonly<Record<string, unknown>>): string {
  const page = idOf(Array.isArray(evidence) ? evidence[0] : undefined);
  return /^(.*)\/verify\/[^/]+\/$/.exec(page ?? "")?.[1] ?? "";
}

function isIssuer(did: string, publicUrl: string, key: PublishedKey): boolean {
  return publicUrl.startsWith("https:")
    ? did === didWeb(issuerUrl(publicUrl, key.organisation))
    : did === didKey(key);
}

function badgeIn(file: Uint8Array): Record<string, unknown> | undefined {
  try {
    const badge = unbakePdf(file);
    return badge === undefined ? undefined : JSON.parse(badge);
  } catch {
    return undefined;
  }
}
