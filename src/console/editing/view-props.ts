import type { useFunctions } from "../options/use-functions.js";
import type { Subject } from "./subject.js";
import type { Editing } from "./use-editing.js";

/** Properties shared by the views of a subject. */
export interface ViewProps {
  readonly subject: Subject;
  readonly editing: Editing;
  readonly functions: ReturnType<typeof useFunctions>;
  /** Why it can't be changed; undefined if it can. */
  readonly why: string | undefined;
}
