import { InvalidArgumentError } from "commander";
import { MAX_ID } from "#infrastructure/db/max-id.js";

/** Reads an id on the command line. @throws InvalidArgumentError unless it can be one */
export function parseId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id > 0 && id <= MAX_ID) return id;
  throw new InvalidArgumentError("It is a whole number, such as 1.");
}
