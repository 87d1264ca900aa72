import { Problem } from "#foundation/errors.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { Organisations } from "../../learners/organisations.js";

export interface ScheduleEditor {
  readonly actor: Actor;
  /** Whether the editor may configure credentials that are issued automatically. */
  readonly mayIssue: boolean;
  readonly organisations: Organisations;
}

/**
 * @param why the start of a sentence, up to its verb, for example "Claims issue credentials, so allowing them"
 * @throws Problem `permission-denied` if the editor may not issue
 */
export function refuseIssuing(editor: ScheduleEditor, why: string, field: string): void {
  if (editor.mayIssue) return;
  throw new Problem("permission-denied", `${why} requires the role registrar.`, {
    reason: "ROLE_MISSING",
    facts: { role: "registrar" },
    field,
  });
}
