import { createHash } from "node:crypto";
import { Problem } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import { type Brand, brandColumns } from "../brands/brand.js";
import {
  type ConfigurationSettings,
  type NewCredentialType,
  settingColumns,
  typeColumns,
} from "./credential-type.js";
import { type StatedSchedule, statementOf } from "./schedules/schedule.js";

/** The etag that a caller expects; if empty or missing, any state is accepted. */
export interface Expectation {
  readonly etag?: string;
}

/** Returns the etag of a type, which changes with everything that can be edited. */
export function etagOfType(type: NewCredentialType): string {
  return etagOf(typeColumns.pick(type));
}

/**
 * Returns the etag of a configuration. The state of its schedule is not part of it, because the service changes that.
 */
export function etagOfConfiguration(
  configuration: ConfigurationSettings,
  schedule: StatedSchedule | undefined,
): string {
  return etagOf([settingColumns.pick(configuration), schedule ? statementOf(schedule) : null]);
}

/** Returns the etag of a brand. */
export function etagOfBrand(brand: Brand): string {
  return etagOf(brandColumns.pick(brand));
}

/** Returns the etag of an organisation's email texts, whose order must always be the same. */
export function etagOfEmailTexts(organisation: string, texts: readonly object[]): string {
  return etagOf([organisation, texts]);
}

/** Returns the etag of an asset. */
export function etagOfAsset({ sha256 }: { readonly sha256: string }): string {
  return etagOf([sha256]);
}

/**
 * Rejects a change that is based on an outdated state.
 * @param expected from the caller; if empty, any state is accepted
 * @param current undefined if the object does not exist
 * @throws Problem `aborted`
 */
export function refuseOutdated(expected: string, current: string | undefined, what: string): void {
  if (expected === "" || expected === current) return;
  throw new Problem(
    "aborted",
    `${what} was ${current === undefined ? "deleted" : "changed"} since its etag was read: read it again, then retry.`,
    { reason: "ETAG_MISMATCH", field: "etag", ...(current !== undefined && { facts: { etag: current } }) },
  );
}

/**
 * Returns the same etag for equal content, whatever the order of keys in its objects, because the database doesn't keep
 * that order.
 */
function etagOf(content: unknown): string {
  const text = JSON.stringify(content, (_, value) => (isObject(value) ? sorted(value) : value));
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** Returns entries instead of an object: objects put keys that look like numbers first, and lose `__proto__`. */
function sorted(object: object): unknown {
  return { entries: Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)) };
}
