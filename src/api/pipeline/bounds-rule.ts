import { type DescMethod, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { bounds } from "#gen/learning_credentials/options/v1/options_pb.js";
import type { NamedObjects } from "#infrastructure/identity/bounds.js";
import { reader } from "./named-values.js";

/** Returns the objects that a message names, which are then checked against the caller's organisations. */
export type BoundsRule = (request: Message) => NamedObjects;

/**
 * Reads from a method's options how its calls are restricted to organisations.
 * @returns undefined if callers who are restricted to organisations may not call the method
 * @throws Error if the option is empty, or if it names a field that the request doesn't have
 */
export function boundsRule(method: DescMethod): BoundsRule | undefined {
  if (!hasOption(method, bounds)) return undefined;
  const declared = getOption(method, bounds);
  const { credential, configuration, run, learningContext, learner, filtered, shared } = declared;
  const namesNone = [credential, configuration, run, learningContext, learner].every(
    ({ length }) => length === 0,
  );
  if (shared ? filtered || !namesNone : !filtered && namesNone) {
    throw new Error(
      `the bounds of ${method.parent.typeName}/${method.name} must name fields, or set filtered, or set shared alone`,
    );
  }
  const credentialsOf = reader(method, "bounds", credential);
  const configurationsOf = reader(method, "bounds", configuration);
  const runsOf = reader(method, "bounds", run);
  const learningContextsOf = reader(method, "bounds", learningContext);
  const learnersOf = reader(method, "bounds", learner);
  return (request) => ({
    credentials: credentialsOf(request),
    configurations: configurationsOf(request),
    runs: runsOf(request),
    learningContexts: learningContextsOf(request),
    learners: learnersOf(request),
  });
}
