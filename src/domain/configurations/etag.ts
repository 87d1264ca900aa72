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

/** The etag that a caller has read; if empty or left out, any state is accepted. */
export interface Expectation {
  readonly etag?: string;
}

/** The etag of a type: it changes with everything that can be edited. */
export function etagOfType(type: NewCredentialType): string {
  return etagOf(typeColumns.pick(type));
}

/** The etag of a configuration. The state of its schedule, which the service changes, is not part of it. */
export function etagOfConfiguration(
  configuration: ConfigurationSettings,
  schedule: StatedSchedule | undefined,
): string {
  return etagOf([settingColumns.pick(configuration), schedule ? statementOf(schedule) : null]);
}

/** The etag of a brand. */
export function etagOfBrand(brand: Brand): string {
  return etagOf(brandColumns.pick(brand));
}

/** The etag of what an organisation writes in emails, in an order that is always the same. */
export function etagOfEmailTexts(organisation: string, texts: readonly object[]): string {
  return etagOf([organisation, texts]);
}

/** The etag of an asset. */
export function etagOfAsset({ sha256 }: { readonly sha256: string }): string {
  return etagOf([sha256]);
}

/**
 * Refuses a change that is based on a state that has changed since.
 * @param expected as given by the caller; if empty, any state is accepted
 * @param current undefined if it does not exist
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

/** The same for equal content, whatever the order of keys in its objects: the database has an order of its own. */
function etagOf(content: unknown): string {
  const text = JSON.stringify(content, (_, value) => (isObject(value) ? sorted(value) : value));
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** Entries instead of an object: objects put keys that look like numbers first, and lose `__proto__`. */
function sorted(object: object): unknown {
  return { entries: Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)) };
}
