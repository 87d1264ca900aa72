import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { isAttributeKey } from "#domain/learners/attribute-key.js";
import type { Imported } from "#domain/learners/import-records.js";
import {
  parseCourseKey,
  parseLearningContextKey,
  parsePathKey,
} from "#domain/learners/learning-context-key.js";
import { API_OWNER } from "#domain/learners/owners.js";
import {
  type Attributes,
  type CompletionFact,
  type CourseFact,
  type CourseGradeFact,
  type EnrollmentFact,
  type LearnerFact,
  type LearnerRecord,
  type LearningPathFact,
  NO_ATTRIBUTES,
  type SubsectionGradeFact,
} from "#domain/learners/record.js";
import { isTimestamp } from "#foundation/calendar/timestamp.js";
import { invalid, invalidField, wrongField } from "#foundation/errors.js";
import { checkShownText, checkText } from "#foundation/text/check-text.js";
import { canonicalTag } from "#foundation/text/language-tag.js";
import { quoted } from "#foundation/text/quoted.js";
import { MOST_TOTAL } from "#foundation/text/tables/cell-values.js";
import {
  type Completion,
  type Course,
  type CourseGrade,
  type Enrollment,
  type Learner,
  type LearningPath,
  type Record as RecordMessage,
  RecordSchema,
  type SubsectionGrade,
} from "#gen/learning_credentials/v1/record_pb.js";
import { isNameOfPlatforms } from "#infrastructure/identity/actors.js";
import { checkCount } from "./check-request.js";
import { parseEmail } from "./parse-email.js";
import { utcSecond } from "./utc-second.js";

const NAME = { min: 1, max: 255 };
const FULL_NAME = { min: 0, max: 255 };
const LEARNER_ID = { min: 0, max: 64 };
const ATTRIBUTE = { min: 0, max: 255 };
const MAX_ATTRIBUTES = 20;
const CATEGORY = { min: 1, max: 100 } as const;
const DISPLAY_NAME = { ...NAME, lines: true } as const;
const MAX_POLICY_ENTRIES = 100;
/** Length of a letter grade, in characters. */
export const LETTER = { min: 1, max: 64 };
const MAX_LETTERS = 100;
const MAX_STEPS = 200;
const MAX_POINTS = 1e9;

/** Minimum points of an assignment, so that percentages have few digits. */
const MIN_POINTS = 0.000001;
/** An index row of Postgres holds at most 2704 bytes. */
const MAX_GRADE_KEY_BYTES = 2600;
const DAY_MS = 86_400_000;

/** Names of the record kinds, as in `record.proto`. */
const RECORD_KINDS = RecordSchema.fields.filter(({ oneof }) => oneof).map(({ name }) => name);

/** Names that assignment types can't have because they would be confused with something else. */
const RESERVED_ASSIGNMENT_TYPES = new Set(["total", "__proto__"]);

/**
 * The fields that every record has besides its content. `parseLearner`, `parseCourse` and the functions for the other
 * kinds copy them one by one, because spreading an object would take longer than all checks.
 */
type RecordEnvelope = Pick<LearnerRecord, "isDeleted" | "observedAt">;

/**
 * Checks a record and converts it to a domain value.
 * @param owner who owns the learner's record
 * @throws Problem `invalid` naming the record's kind, the field and the reason
 */
export function parseRecord(message: RecordMessage, owner = API_OWNER): LearnerRecord {
  const { kind, deleted } = message;
  const common = { isDeleted: deleted, observedAt: parseObservedAt(message.observeTime) };
  switch (kind.case) {
    case "learner":
      return parseLearner(kind.value, common, owner);
    case "course":
      return parseCourse(kind.value, common);
    case "learningPath":
      return parseLearningPath(kind.value, common);
    case "enrollment":
      return parseEnrollment(kind.value, common);
    case "subsectionGrade":
      return parseSubsectionGrade(kind.value, common);
    case "completion":
      return parseCompletion(kind.value, common);
    case "courseGrade":
      return parseCourseGrade(kind.value, common);
    case undefined:
      throw invalid(`The record is empty: give one of ${RECORD_KINDS.join(", ")}.`);
  }
}

/** Returns a warning if an accepted record looks wrong. */
export function recordWarning(record: LearnerRecord): string | undefined {
  if (record.kind !== "course" || record.isDeleted || record.weights.length === 0) return undefined;
  const sum = record.weights.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) < 1e-6) return undefined;
  return `${record.courseKey}: the weights of the grading policy sum to ${Number(sum.toFixed(6))}, not to 1.`;
}

/** Returns warnings about records that an import skipped, with their number and how to import them. */
export function leftOutWarnings({ leftOut, owned }: Pick<Imported, "leftOut" | "owned">): string[] {
  const warnings: string[] = [];
  if (leftOut > 0) {
    warnings.push(
      `${leftOut} records of erased learners were skipped: only records with an observe_time after the erasure are imported.`,
    );
  }
  if (owned > 0) {
    warnings.push(
      `${owned} records of learners were skipped because connectors own them. Set take_over in a record to transfer it to the API.`,
    );
  }
  return warnings;
}

/** The fields of a deleted learner, whose name remains. */
const WITHDRAWN = { email: "", fullName: "", isActive: false, locale: "", learnerId: "", attributes: {} };

function parseLearner(
  learner: Learner,
  { isDeleted, observedAt }: RecordEnvelope,
  owner: string,
): LearnerFact {
  const username = checkText("learner.username", learner.username, NAME);
  if (isNameOfPlatforms(username) && !isDeleted && !username.startsWith(`${owner}:`))
    throw wrongField(
      "learner.username",
      `is ${quoted(username)}; names that begin with lti: are reserved for users of LTI platforms, and only their platform can report them.`,
    );
  const { email, fullName, isActive = true, locale, learnerId, attributes } = isDeleted ? WITHDRAWN : learner;
  return {
    kind: "learner",
    isDeleted,
    observedAt,
    username,
    email: email === undefined ? null : parseEmail("learner.email", email),
    fullName: checkShownText("learner.full_name", fullName, FULL_NAME),
    isActive,
    locale: parseLocale(locale),
    learnerId: checkShownText("learner.learner_id", learnerId, LEARNER_ID),
    attributes: parseAttributes("learner.attributes", attributes),
    owner,
    takesOver: learner.takeOver,
  };
}

export function parseCourse(course: Course, { isDeleted, observedAt }: RecordEnvelope): CourseFact {
  const courseKey = parseCourseKey(course.courseKey, "course.course_key");
  const policy = isDeleted ? [] : course.gradingPolicy;
  checkCount("course.grading_policy", policy, MAX_POLICY_ENTRIES);
  const assignmentTypes = policy.map((entry, index) =>
    assignmentType(`course.grading_policy[${index}].assignment_type`, entry.assignmentType),
  );
  refuseRepeated("course.grading_policy", assignmentTypes);
  const letters = isDeleted ? [] : course.letterGrades;
  checkCount("course.letter_grades", letters, MAX_LETTERS);
  const letterGrades = letters.map((letter, index) =>
    checkShownText(`course.letter_grades[${index}]`, letter, LETTER),
  );
  refuseRepeated("course.letter_grades", letterGrades);
  return {
    kind: "course",
    isDeleted,
    observedAt,
    courseKey,
    displayName: isDeleted ? "" : checkShownText("course.display_name", course.displayName, DISPLAY_NAME),
    assignmentTypes,
    weights: policy.map((entry, index) => within(`course.grading_policy[${index}].weight`, entry.weight, 1)),
    letterGrades,
  };
}

function parseLearningPath(path: LearningPath, { isDeleted, observedAt }: RecordEnvelope): LearningPathFact {
  const pathKey = parsePathKey(path.pathKey, "learning_path.path_key");
  const steps = isDeleted ? [] : path.stepCourseKeys;
  checkCount("learning_path.step_course_keys", steps, MAX_STEPS);
  const stepCourseKeys = steps.map((text, index) =>
    parseCourseKey(text, `learning_path.step_course_keys[${index}]`),
  );
  refuseRepeated("learning_path.step_course_keys", stepCourseKeys);
  return {
    kind: "learningPath",
    isDeleted,
    observedAt,
    pathKey,
    displayName: isDeleted
      ? ""
      : checkShownText("learning_path.display_name", path.displayName, DISPLAY_NAME),
    inviteOnly: isDeleted || (path.inviteOnly ?? true),
    stepCourseKeys,
    category:
      isDeleted || path.category === ""
        ? ""
        : checkShownText("learning_path.category", path.category, CATEGORY),
  };
}

function parseEnrollment(enrollment: Enrollment, { isDeleted, observedAt }: RecordEnvelope): EnrollmentFact {
  const { learningContextKey, isActive = true } = enrollment;
  return {
    kind: "enrollment",
    isDeleted,
    observedAt,
    username: checkText("enrollment.username", enrollment.username, NAME),
    learningContextKey: parseLearningContextKey(learningContextKey, "enrollment.learning_context_key").text,
    isActive: !isDeleted && isActive,
    attributes: isDeleted ? NO_ATTRIBUTES : parseAttributes("enrollment.attributes", enrollment.attributes),
  };
}

function parseSubsectionGrade(
  grade: SubsectionGrade,
  { isDeleted, observedAt }: RecordEnvelope,
): SubsectionGradeFact {
  const username = checkText("subsection_grade.username", grade.username, NAME);
  const courseKey = parseCourseKey(grade.courseKey, "subsection_grade.course_key");
  const usageKey = checkText("subsection_grade.usage_key", grade.usageKey, NAME);
  const keyBytes = Buffer.byteLength(username) + Buffer.byteLength(courseKey) + Buffer.byteLength(usageKey);
  if (keyBytes > MAX_GRADE_KEY_BYTES) {
    throw invalidField(
      "subsection_grade.username",
      `subsection_grade.username, course_key and usage_key take ${keyBytes} bytes together; ` +
        `at most ${MAX_GRADE_KEY_BYTES} are accepted.`,
    );
  }
  return {
    kind: "subsectionGrade",
    isDeleted,
    observedAt,
    username,
    courseKey,
    usageKey,
    assignmentType: isDeleted ? "" : assignmentType("subsection_grade.assignment_type", grade.assignmentType),
    earned: isDeleted ? 0 : within("subsection_grade.earned", grade.earned, MAX_POINTS),
    possible: isDeleted ? 0 : pointsPossible(grade.possible),
  };
}

function parseCompletion(completion: Completion, { isDeleted, observedAt }: RecordEnvelope): CompletionFact {
  return {
    kind: "completion",
    isDeleted,
    observedAt,
    username: checkText("completion.username", completion.username, NAME),
    courseKey: parseCourseKey(completion.courseKey, "completion.course_key"),
    percent: isDeleted ? 0 : within("completion.percent", completion.percent, 1),
  };
}

function parseCourseGrade(grade: CourseGrade, { isDeleted, observedAt }: RecordEnvelope): CourseGradeFact {
  return {
    kind: "courseGrade",
    isDeleted,
    observedAt,
    username: checkText("course_grade.username", grade.username, NAME),
    courseKey: parseCourseKey(grade.courseKey, "course_grade.course_key"),
    ...(isDeleted ? WITHDRAWN_GRADE : statedGrade(grade)),
  };
}

const WITHDRAWN_GRADE = { percent: null, passed: null, letter: "" };

function statedGrade({ percent, passed, letter }: CourseGrade) {
  const isBare = percent === undefined && passed === undefined && letter === "";
  return {
    percent: percent === undefined ? (isBare ? 0 : null) : totalFraction("course_grade.percent", percent),
    passed: passed ?? null,
    letter: checkShownText("course_grade.letter", letter, { ...LETTER, min: 0 }),
  };
}

function assignmentType(field: string, text: string): string {
  const name = checkText(field, text, NAME).toLowerCase();
  if (RESERVED_ASSIGNMENT_TYPES.has(name)) throw wrongField(field, `must not be named ${quoted(text)}.`);
  return name;
}

/** NaN fails every comparison, so it is refused like a value out of range. */
function pointsPossible(points: number): number {
  const field = "subsection_grade.possible";
  if (points > 0 && points < MIN_POINTS)
    throw wrongField(field, `is ${points}; it must be 0, or at least ${MIN_POINTS}.`);
  return within(field, points, MAX_POINTS);
}

function within(field: string, value: number, max: number): number {
  if (value >= 0 && value <= max) return value;
  throw wrongField(field, `is ${value}; it must be a number from 0 to ${max}.`);
}

/** Extra credit can raise a total above 1, which is stored as 1. */
function totalFraction(field: string, value: number): number {
  if (value >= 0 && value <= MOST_TOTAL / 100) return Math.min(1, value);
  throw wrongField(
    field,
    `is ${value}; it must be a number from 0 to 1. With extra credit, up to ${MOST_TOTAL / 100} is accepted as 1.`,
  );
}

function refuseRepeated(field: string, values: readonly string[]): void {
  const repeated = values.find((value, index) => values.indexOf(value) !== index);
  if (repeated !== undefined) throw wrongField(field, `names ${quoted(repeated)} more than once.`);
}

/** Leaves out empty attributes. */
export function parseAttributes(field: string, attributeMap: { readonly [key: string]: string }): Attributes {
  const keys = Object.keys(attributeMap);
  if (keys.length === 0) return NO_ATTRIBUTES;
  checkCount(field, keys, MAX_ATTRIBUTES);
  const wrong = keys.find((key) => !isAttributeKey(key));
  if (wrong !== undefined) {
    throw wrongField(
      field,
      `has the key ${quoted(wrong)}; a key has 1 to 40 lower-case letters a to z, digits and "_", a letter first.`,
    );
  }
  const entries = keys.map((key) => [
    key,
    checkShownText(`${field}.${key}`, attributeMap[key] ?? "", ATTRIBUTE),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

function parseLocale(text: string): string {
  if (text === "") return text;
  checkText("learner.locale", text, { min: 0, max: 255 });
  const tag = canonicalTag(text);
  if (tag !== undefined) return tag;
  throw wrongField("learner.locale", `is ${quoted(text)}; it must be a language tag, such as pt-BR.`);
}

/** Postgres stores microseconds, so further digits are dropped. */
function parseObservedAt(timestamp: Timestamp | undefined): string | null {
  if (timestamp === undefined) return null;
  const { nanos } = timestamp;
  const seconds = Number(timestamp.seconds);
  const latest = (Date.now() + DAY_MS) / 1000;
  if (!isTimestamp(timestamp) || seconds > latest) {
    throw wrongField(
      "observe_time",
      `is ${timestamp.seconds} s and ${nanos} ns after 1970; it must be between 0001-01-01 and one day from now.`,
    );
  }
  return `${utcSecond(seconds)}.${String(1e6 + Math.floor(nanos / 1000)).slice(1)}Z`;
}
