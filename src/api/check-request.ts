import { MAX_ID } from "../db/max-id.js";
import { invalidField } from "../errors.js";

/** @throws Problem `invalid` unless it is a possible id */
export function checkId(field: string, id: number): number {
  if (id >= 1 && id <= MAX_ID) return id;
  throw invalidField(field, `${field} is ${id}; it must be at least 1.`);
}

/** @throws Problem `invalid` if the field is missing */
export function checkGiven<T>(field: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw invalidField(field, `${field} is missing.`);
}
