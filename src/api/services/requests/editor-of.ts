import type { ScheduleEditor } from "#domain/configurations/schedules/editor.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import { type Caller, hasRole, organisationsOf } from "#infrastructure/identity/caller.js";

/** Returns who makes a change, and whether that person may schedule issuing. */
export function editorOf(caller: Caller): ScheduleEditor {
  return {
    actor: actorOf(caller),
    mayIssue: hasRole(caller, "registrar"),
    organisations: organisationsOf(caller),
  };
}
