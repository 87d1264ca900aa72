import { isUuid } from "#domain/credentials/uuid.js";
import { quoted, wrongField } from "#foundation/errors.js";
import { MAX_ID } from "#infrastructure/db/max-id.js";

export function checkId(field: string, id: number): number {
  if (id >= 1 && id <= MAX_ID) return id;
  throw wrongField(field, `is ${id}; it must be at least 1.`);
}

/**
 * @param what describes the expected value, such as "the uuid of a credential"
 * @throws Problem `invalid` if it is not a UUID
 */
export function checkUuid(field: string, uuid: string, what: string): string {
  if (isUuid(uuid)) return uuid;
  throw wrongField(field, `is ${quoted(uuid)}; it must be ${what}.`);
}

/** @throws Problem `invalid` if a resource to create has an id */
export function checkNew(field: string, id: number): void {
  if (id !== 0) throw wrongField(field, `is ${id}; the service sets the id, so it must be 0.`);
}

/** @throws Problem `invalid` if the field is missing */
export function checkPresent<T>(field: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw wrongField(field, "is missing.");
}
