import { randomUUID } from "node:crypto";

/** Maximum length of a file's name in the name of its draft. */
const MAX_OWN_NAME = 50;

const DRAFT = new RegExp(`^\\..{0,${MAX_OWN_NAME}}\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`);

/** Returns a new name for a file while it is being written. It begins with a dot, so it is not a key. */
export function newDraftName(name: string): string {
  return `.${name.slice(0, MAX_OWN_NAME)}.${randomUUID()}`;
}

export function isDraftName(name: string): boolean {
  return DRAFT.test(name);
}
