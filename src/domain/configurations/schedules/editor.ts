import { Problem } from "#foundation/errors.js";
import type { Actor } from "#infrastructure/identity/actors.js";

/** Who changes types and configurations. */
export interface Editor {
  readonly actor: Actor;
  /** Whether they may issue credentials, and so set what is issued without anyone asking again. */
  readonly mayIssue: boolean;
}

/**
 * Refuses a change that would issue credentials.
 * @param why a sentence, without its full stop
 * @param field the field of the request that would
 * @throws Problem `permission-denied` unless the editor may issue
 */
export function refuseIssuing(editor: Editor, why: string, field: string): void {
  if (editor.mayIssue) return;
  throw new Problem("permission-denied", `${why}: this needs the role registrar.`, {
    reason: "ROLE_MISSING",
    facts: { role: "registrar" },
    field,
  });
}
