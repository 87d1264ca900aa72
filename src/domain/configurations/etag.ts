import { createHash } from "node:crypto";
import { changedMeanwhile } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import { type Brand, brandColumns } from "../brands/brand.js";
import {
  type ConfigurationSettings,
  configurationSettingColumns,
  type NewCredentialType,
  typeColumns,
} from "./credential-type.js";
import { type StatedSchedule, statementOf } from "./schedules/schedule.js";

/** The etag that a caller expects. If it is empty or missing, any state is accepted. */
export interface Expectation {
  readonly etag?: string;
}

export function etagOfType(type: NewCredentialType): string {
  return etagOf(typeColumns.pick(type));
}

/** The etag includes the settings of the schedule, but not its state, because the service changes the state. */
export function etagOfConfiguration(
  configuration: ConfigurationSettings,
  schedule: StatedSchedule | undefined,
): string {
  return etagOf([configurationSettingColumns.pick(configuration), schedule ? statementOf(schedule) : null]);
}

export function etagOfBrand(brand: Brand): string {
  return etagOf(brandColumns.pick(brand));
}

/** @param texts must always be in the same order */
export function etagOfEmailTexts(organisation: string, texts: readonly object[]): string {
  return etagOf([organisation, texts]);
}

export function etagOfAsset({ sha256 }: { readonly sha256: string }): string {
  return etagOf([sha256]);
}

/**
 * Rejects a change that is based on an outdated state.
 * @param expected from the caller; empty to accept any state
 * @param current undefined if the object does not exist
 * @throws Problem `aborted`
 */
export function refuseOutdated(expected: string, current: string | undefined, what: string): void {
  if (expected === "" || expected === current) return;
  throw changedMeanwhile(what, {
    field: "etag",
    ...(current === undefined ? { isDeleted: true } : { facts: { etag: current } }),
  });
}

/**
 * Returns an etag that does not depend on the order of keys in objects, because the database doesn't keep the order.
 */
function etagOf(content: unknown): string {
  const text = JSON.stringify(content, (_, value) => (isObject(value) ? sorted(value) : value));
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/**
 * Returns an object's entries in a fixed order. A sorted object would not do, because objects put keys that look like
 * numbers first, and lose `__proto__`.
 */
function sorted(object: object): unknown {
  return { entries: Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)) };
}
