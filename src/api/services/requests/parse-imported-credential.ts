import { checkAliases } from "#domain/credentials/aliases/alias.js";
import type { ExternalCredential } from "#domain/credentials/imports/import-store.js";
import { isUuid } from "#domain/credentials/uuid.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { quoted, wrongField } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkShownText, checkText } from "#foundation/text/check-text.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { ImportedCredential } from "#gen/learning_credentials/v1/imported_credential_pb.js";
import { checkPresent } from "./check-request.js";
import { parseMoment } from "./timestamps.js";

/** A message may have at most 4 MiB, so this leaves 1 MiB for the other fields. */
export const MAX_FILE_BYTES = 3 * 1024 * 1024;

const NAME = { min: 1, max: MAX_NAME };
const DAY_MS = 86_400_000;
/** An earlier date is probably a typo, because nobody needs to verify a credential that is so old. */
const EARLIEST = new Date("1900-01-01T00:00:00Z");
/**
 * Minimum number of different digits among the 32 of a UUID. A random UUID typically has 14. One in 30 million has
 * fewer than eight, and one in six billion fewer than seven.
 */
const MIN_DIFFERENT_DIGITS = 7;
/** Usernames that have replaced those of erased learners. */
const PSEUDONYM = /^erased-/i;

/**
 * Checks a credential that was issued elsewhere.
 * @throws Problem `invalid` that names the field
 */
export function parseImportedCredential(message: ImportedCredential): ExternalCredential {
  const { verifyUuid } = message;
  if (!isUuid(verifyUuid))
    throw wrongField(
      "verify_uuid",
      `is ${quoted(verifyUuid)}; it must be a UUID: 8-4-4-4-12 hexadecimal digits.`,
    );
  checkHardToGuess("verify_uuid", verifyUuid);
  const created = checkPast(
    "create_time",
    checkPresent("create_time", parseMoment("create_time", message.createTime) ?? undefined),
  );
  if (created < EARLIEST)
    throw wrongField("create_time", `is ${created.toISOString()}; it must not be before 1900.`);
  const createdAt = new Date(Math.floor(created.getTime() / 1000) * 1000);
  const invalidated = parseInvalidated(message, createdAt);
  return {
    verifyUuid: verifyUuid.toLowerCase(),
    legacyId: checkText("legacy_id", message.legacyId, { min: 0, max: MAX_NAME }),
    issuer: checkShownText("issuer", message.issuer, { min: 0, max: MAX_NAME }),
    username: checkUsername(message.username),
    userFullName: checkShownText("user_full_name", message.userFullName, NAME),
    learningContextKey: parseLearningContextKey(message.learningContextKey, "learning_context_key").text,
    learningContextName: checkShownText("learning_context_name", message.learningContextName, {
      ...NAME,
      lines: true,
    }),
    credentialType: checkShownText("credential_type", message.credentialType, NAME),
    createdAt,
    validUntil: parseValidUntil(message, createdAt),
    hasBadge: message.openBadge,
    invalidated,
    file: parseFile(message, invalidated !== null),
    isPrinted: message.printFile,
    uuid: parseOwnUuid(message.uuid),
    aliases: checkAliases(message.aliases).filter((alias) => alias !== verifyUuid.toLowerCase()),
  };
}

/**
 * Refuses a UUID that is easy to guess, because anyone who knows the UUID can read the holder's name. The version and
 * variant are not checked: older systems generated and formatted UUIDs in many ways.
 */
function checkHardToGuess(field: string, uuid: string): void {
  const different = new Set(uuid.toLowerCase().replaceAll("-", "")).size;
  if (different >= MIN_DIFFERENT_DIGITS) return;
  throw wrongField(
    field,
    `is ${uuid}, which is too easy to guess: it has ${different} different digits; at least ${MIN_DIFFERENT_DIGITS} are needed. Issue the credential in this service instead.`,
  );
}

function parseOwnUuid(uuid: string): string | null {
  if (uuid === "") return null;
  if (!isUuid(uuid)) throw wrongField("uuid", `is ${quoted(uuid)}; it must be a UUID, or empty.`);
  checkHardToGuess("uuid", uuid);
  return uuid.toLowerCase();
}

function parseValidUntil({ expireTime }: ImportedCredential, createdAt: Date): Date | null {
  const until = parseMoment("expire_time", expireTime);
  if (until === null) return null;
  if (until <= createdAt)
    throw wrongField("expire_time", `is ${until.toISOString()}; it must be after create_time.`);
  return new Date(Math.floor(until.getTime() / 1000) * 1000);
}

function checkUsername(username: string): string {
  if (!PSEUDONYM.test(username)) return checkText("username", username, NAME);
  throw wrongField(
    "username",
    `is ${quoted(username)}; names that begin with erased- are reserved for learners who were erased.`,
  );
}

function parseInvalidated(
  { status, invalidationReason, invalidateTime }: ImportedCredential,
  createdAt: Date,
): ExternalCredential["invalidated"] {
  const at = parseMoment("invalidate_time", invalidateTime);
  if (status === CredentialStatus.INVALIDATED) {
    const reason = checkShownText("invalidation_reason", invalidationReason, { ...NAME, lines: true });
    const moment = checkPast("invalidate_time", checkPresent("invalidate_time", at ?? undefined));
    if (moment < createdAt) throw wrongField("invalidate_time", "is before create_time.");
    return { reason, at: moment };
  }
  if (status !== CredentialStatus.AVAILABLE && status !== CredentialStatus.UNSPECIFIED) {
    throw wrongField(
      "status",
      `is ${CredentialStatus[status] ?? status}; an imported credential must be AVAILABLE or INVALIDATED.`,
    );
  }
  if (invalidationReason !== "" || at !== null)
    throw wrongField(
      "invalidation_reason",
      "and invalidate_time are only allowed with the status INVALIDATED.",
    );
  return null;
}

/** Refuses dates in the future. Clocks differ, so one day is tolerated. */
function checkPast(field: string, moment: Date): Date {
  if (moment.getTime() <= Date.now() + DAY_MS) return moment;
  throw wrongField(field, `is ${moment.toISOString()}; it must not be in the future.`);
}

function parseFile({ file, printFile }: ImportedCredential, mayBeMissing: boolean): Uint8Array | null {
  if (printFile) {
    if (file.length === 0) return null;
    throw wrongField("print_file", "is true, but file is also set: remove one of them.");
  }
  if (file.length === 0 && mayBeMissing) return null;
  if (file.length > MAX_FILE_BYTES)
    throw wrongField("file", `has ${file.length} bytes; at most ${MAX_FILE_BYTES} are accepted.`);
  if (Buffer.from(file.subarray(0, 5)).toString("latin1") !== "%PDF-")
    throw wrongField("file", "is not a PDF: it must begin with %PDF-.");
  return file;
}
