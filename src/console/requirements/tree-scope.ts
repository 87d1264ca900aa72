import type { AssessedCourse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { TreeProblem } from "./tree.js";

/** What the parts of a form share. */
export interface TreeScope {
  /** The courses that the tree names, as far as they are known. */
  readonly courses: readonly AssessedCourse[];
  /** Where it is tried. */
  readonly contextKey: string | undefined;
  readonly nameOf: (courseKey: string) => string;
  /** What the service has found wrong. */
  readonly problem: TreeProblem | undefined;
}
