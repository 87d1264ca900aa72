import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";

/** A record of any kind, as a platform sends it. */
export type Kind = NonNullable<MessageInitShape<typeof RecordSchema>["kind"]>;

export function learner(username: string, fullName = `Learner ${username}`): Kind {
  return { case: "learner", value: { username, fullName } };
}

/** @param policy assignment types with their weights */
export function course(
  courseKey: string,
  displayName: string,
  policy: readonly (readonly [string, number])[] = [],
): Kind {
  const gradingPolicy = policy.map(([assignmentType, weight]) => ({ assignmentType, weight }));
  return { case: "course", value: { courseKey, displayName, gradingPolicy } };
}

export function enrolled(username: string, learningContextKey: string, isActive = true): Kind {
  return { case: "enrollment", value: { username, learningContextKey, ...(!isActive && { isActive }) } };
}

export function graded(
  username: string,
  courseKey: string,
  assignmentType: string,
  [earned, possible]: readonly [number, number],
): Kind {
  return {
    case: "subsectionGrade",
    value: { username, courseKey, usageKey: assignmentType, assignmentType, earned, possible },
  };
}

/** @param percent as a fraction: 0.5 is 50 % */
export function completed(username: string, courseKey: string, percent: number): Kind {
  return { case: "completion", value: { username, courseKey, percent } };
}
