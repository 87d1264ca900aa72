import { InvalidArgumentError } from "commander";
import { MAX_ID } from "#infrastructure/db/max-id.js";

/** @throws InvalidArgumentError if the text can't be an id */
export function parseId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id > 0 && id <= MAX_ID) return id;
  throw new InvalidArgumentError("It must be a whole number, such as 1.");
}
