import { wrongField } from "../errors.js";

/** @throws Problem `invalid` if the list is too long */
export function checkCount(field: string, list: readonly unknown[], most: number): void {
  if (list.length > most)
    throw wrongField(field, `has ${list.length} entries; at most ${most} are accepted.`);
}
