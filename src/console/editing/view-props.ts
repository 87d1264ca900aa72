import type { useFunctions } from "../options/use-functions.js";
import type { Subject } from "./subject.js";
import type { Editing } from "./use-editing.js";

export interface ViewProps {
  readonly subject: Subject;
  readonly editing: Editing;
  readonly functions: ReturnType<typeof useFunctions>;
  /** Why the subject can't be changed; undefined if it can. */
  readonly why: string | undefined;
}
