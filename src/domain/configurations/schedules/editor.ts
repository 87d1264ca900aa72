import { Problem } from "#foundation/errors.js";
import type { Actor } from "#infrastructure/identity/actors.js";

/** The user who changes types and configurations. */
export interface Editor {
  readonly actor: Actor;
  /** Whether the editor may issue credentials, and so may configure what is issued automatically. */
  readonly mayIssue: boolean;
}

/**
 * Rejects a change that would issue credentials, unless the editor may issue.
 * @param why the start of a sentence, up to its verb: "Claims issue credentials, so allowing them"
 * @param field the field of the request that causes it
 * @throws Problem `permission-denied`
 */
export function refuseIssuing(editor: Editor, why: string, field: string): void {
  if (editor.mayIssue) return;
  throw new Problem("permission-denied", `${why} requires the role registrar.`, {
    reason: "ROLE_MISSING",
    facts: { role: "registrar" },
    field,
  });
}
