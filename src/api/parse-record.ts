import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type {
  Course,
  Learner,
  LearningPath,
  Record as RecordMessage,
} from "../../gen/learning_credentials/v1/record_pb.js";
import { invalid } from "../errors.js";
import { checkText } from "../learners/check-text.js";
import { parseCourseKey, parseLearningContextKey, parsePathKey } from "../learners/learning-context-key.js";
import type { LearnerRecord } from "../learners/record.js";

const NAME = { min: 1, max: 255 };
const DISPLAY_NAME = { ...NAME, lines: true } as const;
const MAX_POLICY_ENTRIES = 100;
const MAX_STEPS = 200;
const MAX_POINTS = 1e9;
const DAY_MS = 86_400_000;
const MIN_TIMESTAMP_SECONDS = -62_135_596_800n; // 0001-01-01T00:00:00Z

/** Names of assignment types that would be taken for something else. */
const RESERVED_ASSIGNMENT_TYPES = new Set(["total", "__proto__"]);

/** One plain mailbox: no display name, no list, no comment, nothing that could end a header line. */
const mailbox = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+$/;

/**
 * Checks a record and turns it into what the service keeps.
 * @throws Problem `invalid` naming the kind of the record, the field and the reason
 */
export function parseRecord(message: RecordMessage): LearnerRecord {
  const { kind, deleted } = message;
  const told = { isDeleted: deleted, observedAt: parseObservedAt(message.observedAt) };
  switch (kind.case) {
    case "learner":
      return { kind: "learner", ...told, ...parseLearner(kind.value, deleted) };
    case "course":
      return { kind: "course", ...told, ...parseCourse(kind.value, deleted) };
    case "learningPath":
      return { kind: "learningPath", ...told, ...parseLearningPath(kind.value, deleted) };
    case "enrollment":
      return {
        kind: "enrollment",
        ...told,
        username: username("enrollment", kind.value.username),
        learningContextKey: parseLearningContextKey(kind.value.learningContextKey).text,
        isActive: kind.value.isActive ?? true,
      };
    case "subsectionGrade": {
      const grade = kind.value;
      return {
        kind: "subsectionGrade",
        ...told,
        username: username("subsection_grade", grade.username),
        courseKey: parseCourseKey(grade.courseKey),
        usageKey: checkText("subsection_grade.usage_key", grade.usageKey, NAME),
        assignmentType: deleted
          ? ""
          : assignmentType("subsection_grade.assignment_type", grade.assignmentType),
        earned: deleted ? 0 : within("subsection_grade.earned", grade.earned, MAX_POINTS),
        possible: deleted ? 0 : within("subsection_grade.possible", grade.possible, MAX_POINTS),
      };
    }
    case "completion":
      return {
        kind: "completion",
        ...told,
        username: username("completion", kind.value.username),
        courseKey: parseCourseKey(kind.value.courseKey),
        percent: deleted ? 0 : within("completion.percent", kind.value.percent, 1),
      };
    default:
      throw invalid(
        "The record says nothing: give one of learner, course, learning_path, enrollment, subsection_grade, completion.",
      );
  }
}

/** What was accepted but looks wrong, in a sentence. */
export function recordWarning(record: LearnerRecord): string | undefined {
  if (record.kind !== "course" || record.isDeleted || record.weights.length === 0) return undefined;
  const sum = record.weights.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) < 1e-6) return undefined;
  return `${record.courseKey}: the weights of the grading policy sum to ${Number(sum.toFixed(6))}, not to 1.`;
}

function parseLearner(learner: Learner, deleted: boolean) {
  const key = { username: username("learner", learner.username) };
  if (deleted) return { ...key, email: "", fullName: "", isActive: false, locale: "" };
  return {
    ...key,
    email: parseEmail(learner.email),
    fullName: checkText("learner.full_name", learner.fullName, { min: 0, max: 255 }),
    isActive: learner.isActive ?? true,
    locale: parseLocale(learner.locale),
  };
}

function parseCourse(course: Course, deleted: boolean) {
  const courseKey = parseCourseKey(course.courseKey);
  if (deleted) return { courseKey, displayName: "", assignmentTypes: [], weights: [] };
  const policy = course.gradingPolicy;
  if (policy.length > MAX_POLICY_ENTRIES) {
    throw invalid(
      `course.grading_policy has ${policy.length} entries; at most ${MAX_POLICY_ENTRIES} are accepted.`,
    );
  }
  const assignmentTypes = policy.map((entry) =>
    assignmentType("course.grading_policy.assignment_type", entry.assignmentType),
  );
  refuseRepeated("course.grading_policy", assignmentTypes);
  return {
    courseKey,
    displayName: checkText("course.display_name", course.displayName, DISPLAY_NAME),
    assignmentTypes,
    weights: policy.map((entry) => within("course.grading_policy.weight", entry.weight, 1)),
  };
}

function parseLearningPath(path: LearningPath, deleted: boolean) {
  const pathKey = parsePathKey(path.pathKey);
  if (deleted) return { pathKey, displayName: "", inviteOnly: true, stepCourseKeys: [] };
  if (path.stepCourseKeys.length > MAX_STEPS) {
    throw invalid(
      `learning_path.step_course_keys has ${path.stepCourseKeys.length} entries; at most ${MAX_STEPS} are accepted.`,
    );
  }
  const stepCourseKeys = path.stepCourseKeys.map(parseCourseKey);
  refuseRepeated("learning_path.step_course_keys", stepCourseKeys);
  return {
    pathKey,
    displayName: checkText("learning_path.display_name", path.displayName, DISPLAY_NAME),
    inviteOnly: path.inviteOnly ?? true,
    stepCourseKeys,
  };
}

function username(kind: string, text: string): string {
  return checkText(`${kind}.username`, text, NAME);
}

function assignmentType(field: string, text: string): string {
  const name = checkText(field, text, NAME).toLowerCase();
  if (RESERVED_ASSIGNMENT_TYPES.has(name))
    throw invalid(`${field} must not be named ${JSON.stringify(text)}.`);
  return name;
}

/** NaN compares false, and so is refused with what is out of range. */
function within(field: string, value: number, max: number): number {
  if (value >= 0 && value <= max) return value;
  throw invalid(`${field} is ${value}; it must be a number from 0 to ${max}.`);
}

function refuseRepeated(field: string, values: readonly string[]): void {
  const repeated = values.find((value, index) => values.indexOf(value) !== index);
  if (repeated !== undefined) throw invalid(`${field} names ${JSON.stringify(repeated)} more than once.`);
}

function parseEmail(text: string): string {
  if (text === "") return text;
  checkText("learner.email", text, { min: 0, max: 254 });
  if (!mailbox.test(text)) {
    throw invalid(
      "learner.email is not one plain mailbox, such as ana@example.org; leave it empty when there is none.",
    );
  }
  return text;
}

function parseLocale(text: string): string {
  if (text === "") return text;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? "";
  } catch (error) {
    throw invalid(
      `learner.locale is ${JSON.stringify(text.slice(0, 50))}; it must be a language tag, such as pt-BR.`,
      error,
    );
  }
}

/** Postgres keeps microseconds. */
function parseObservedAt(timestamp: Timestamp | undefined): string | null {
  if (timestamp === undefined) return null;
  const { seconds, nanos } = timestamp;
  const latest = BigInt(Math.floor((Date.now() + DAY_MS) / 1000));
  if (seconds < MIN_TIMESTAMP_SECONDS || seconds > latest || nanos < 0 || nanos > 999_999_999) {
    throw invalid("observed_at must lie between 0001-01-01 and one day from now.");
  }
  const wholeSeconds = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${wholeSeconds}.${String(nanos).padStart(9, "0").slice(0, 6)}Z`;
}
