import type { AssessedCourse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { TreeProblem } from "./tree.js";

export interface TreeScope {
  /** The courses of the tree, as far as they are known. */
  readonly courses: readonly AssessedCourse[];
  /** The context for testing. */
  readonly contextKey: string | undefined;
  readonly nameOf: (courseKey: string) => string;
  /** The error that the service has found in the tree. */
  readonly problem: TreeProblem | undefined;
}
