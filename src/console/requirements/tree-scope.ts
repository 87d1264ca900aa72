import type { AssessedCourse } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { TreeProblem } from "./tree.js";

/** Data that the parts of a form share. */
export interface TreeScope {
  /** The courses in the tree, if known. */
  readonly courses: readonly AssessedCourse[];
  /** The context for testing. */
  readonly contextKey: string | undefined;
  readonly nameOf: (courseKey: string) => string;
  /** The error that the service has found. */
  readonly problem: TreeProblem | undefined;
}
