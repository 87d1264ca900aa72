import { wrongField } from "../errors.js";

/**
 * @param what names the list's entries, in the plural
 * @throws Problem `invalid` if the list is too long
 */
export function checkCount(field: string, list: readonly unknown[], most: number, what = "entries"): void {
  if (list.length > most)
    throw wrongField(field, `has ${list.length} ${what}; at most ${most} are accepted.`);
}
