import type { AssessedCourse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { TreeProblem } from "./tree.js";

export interface TreeScope {
  /** The course, or the courses of the path, for suggestions. Empty until a context is selected and loaded. */
  readonly courses: readonly AssessedCourse[];
  /** The context for testing. */
  readonly contextKey: string | undefined;
  readonly nameOf: (courseKey: string) => string;
  /** The error that the service has found in the tree. */
  readonly problem: TreeProblem | undefined;
}
