import { invalidField, quoted, wrongField } from "#foundation/errors.js";
import { MAX_LETTER, MAX_NAME } from "#foundation/limits.js";
import { isAttributeKey } from "#foundation/text/attribute-key.js";
import { checkCount } from "#foundation/text/check-count.js";
import { checkShownText, checkText } from "#foundation/text/check-text.js";
import { canonicalTag } from "#foundation/text/language-tag.js";
import { MAX_TOTAL } from "#foundation/text/tables/cell-values.js";
import { isNameOfPlatforms } from "#infrastructure/identity/actors.js";
import { parseCourseKey, parseLearningContextKey, parsePathKey } from "./learning-context-key.js";
import { API_OWNER } from "./owners.js";
import { parseEmail } from "./parse-email.js";
import type { PlainRecord, RecordFields } from "./plain-record.js";
import {
  type Attributes,
  type CompletionFact,
  type CourseFact,
  type CourseGradeFact,
  type EnrollmentFact,
  type Fact,
  type LearnerFact,
  type LearnerRecord,
  type LearningPathFact,
  NO_ATTRIBUTES,
  type RecordKind,
  type SubsectionGradeFact,
} from "./record.js";

const NAME = { min: 1, max: MAX_NAME };
const FULL_NAME = { min: 0, max: MAX_NAME };
const LEARNER_ID = { min: 0, max: 64 };
const ATTRIBUTE = { min: 0, max: MAX_NAME };
const MAX_ATTRIBUTES = 20;
const CATEGORY = { min: 1, max: 100 } as const;
const DISPLAY_NAME = { ...NAME, lines: true } as const;
const MAX_POLICY_ENTRIES = 100;
export const LETTER_LENGTH = { min: 1, max: MAX_LETTER };
const MAX_LETTERS = 100;
const MAX_STEPS = 200;
const MAX_POINTS = 1e9;

/** Minimum points of an assignment. Keeps the number of digits in percentages small. */
const MIN_POINTS = 0.000001;
/** A row of a PostgreSQL index has at most 2704 bytes. */
const MAX_GRADE_KEY_BYTES = 2600;

/** Names that assignment types can't have, because the code uses them for something else. */
const RESERVED_ASSIGNMENT_TYPES = new Set(["total", "__proto__"]);

/**
 * The fields that all kinds of records share. The function for each kind copies these fields individually, because
 * spreading an object would take longer than all checks.
 */
interface Envelope extends Fact {
  /** The source that reports the record: see `owners.ts`. */
  readonly owner: string;
}

const parsers: {
  readonly [Kind in RecordKind]: (fields: RecordFields[Kind], envelope: Envelope) => LearnerRecord;
} = {
  learner: parseLearner,
  course: parseCourse,
  learningPath: parseLearningPath,
  enrollment: parseEnrollment,
  subsectionGrade: parseSubsectionGrade,
  completion: parseCompletion,
  courseGrade: parseCourseGrade,
};

/**
 * Checks the fields of a record.
 * @throws Problem `invalid` that names the record's kind, the field and the reason
 */
export function parseRecord<Kind extends RecordKind>(
  kind: Kind,
  fields: RecordFields[Kind],
  envelope: Envelope,
): LearnerRecord {
  return parsers[kind](fields, envelope);
}

/**
 * Checks a record.
 * @param observedAt undefined: the time of writing
 * @throws Problem `invalid` that names the record's kind, the field and the reason
 */
export function parsePlainRecord(
  record: PlainRecord,
  observedAt: Date | undefined,
  owner = API_OWNER,
): LearnerRecord {
  return parseRecord(record.kind, record, {
    isDeleted: false,
    observedAt: observedAt ? `${observedAt.toISOString().slice(0, -1)}000Z` : null,
    owner,
  });
}

/** The contents of a withdrawn learner record, in addition to the username. */
const WITHDRAWN = { email: "", fullName: "", isActive: false };

function parseLearner(
  learner: RecordFields["learner"],
  { isDeleted, observedAt, owner }: Envelope,
): LearnerFact {
  const username = checkText("learner.username", learner.username, NAME);
  if (isNameOfPlatforms(username) && !isDeleted && !username.startsWith(`${owner}:`))
    throw wrongField(
      "learner.username",
      `is ${quoted(username)}; names that begin with lti: are reserved for users of LTI platforms, and only their platform can report them.`,
    );
  const {
    email,
    fullName,
    isActive = true,
    locale = "",
    learnerId = "",
    attributes = NO_ATTRIBUTES,
  }: RecordFields["learner"] = isDeleted ? { username, ...WITHDRAWN } : learner;
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
    takesOver: learner.takeOver ?? false,
  };
}

export function parseCourse(course: RecordFields["course"], { isDeleted, observedAt }: Fact): CourseFact {
  const courseKey = parseCourseKey(course.courseKey, "course.course_key");
  const policy = isDeleted ? [] : course.gradingPolicy;
  checkCount("course.grading_policy", policy, MAX_POLICY_ENTRIES);
  const assignmentTypes = policy.map((entry, index) =>
    assignmentType(`course.grading_policy[${index}].assignment_type`, entry.assignmentType),
  );
  refuseRepeated("course.grading_policy", assignmentTypes);
  const letters = isDeleted ? [] : (course.letterGrades ?? []);
  checkCount("course.letter_grades", letters, MAX_LETTERS);
  const letterGrades = letters.map((letter, index) =>
    checkShownText(`course.letter_grades[${index}]`, letter, LETTER_LENGTH),
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

function parseLearningPath(
  path: RecordFields["learningPath"],
  { isDeleted, observedAt }: Fact,
): LearningPathFact {
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

function parseEnrollment(
  enrollment: RecordFields["enrollment"],
  { isDeleted, observedAt }: Fact,
): EnrollmentFact {
  const { learningContextKey, isActive = true, attributes = NO_ATTRIBUTES } = enrollment;
  return {
    kind: "enrollment",
    isDeleted,
    observedAt,
    username: checkText("enrollment.username", enrollment.username, NAME),
    learningContextKey: parseLearningContextKey(learningContextKey, "enrollment.learning_context_key").text,
    isActive: !isDeleted && isActive,
    attributes: isDeleted ? NO_ATTRIBUTES : parseAttributes("enrollment.attributes", attributes),
  };
}

function parseSubsectionGrade(
  grade: RecordFields["subsectionGrade"],
  { isDeleted, observedAt }: Fact,
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

function parseCompletion(
  completion: RecordFields["completion"],
  { isDeleted, observedAt }: Fact,
): CompletionFact {
  return {
    kind: "completion",
    isDeleted,
    observedAt,
    username: checkText("completion.username", completion.username, NAME),
    courseKey: parseCourseKey(completion.courseKey, "completion.course_key"),
    percent: isDeleted ? 0 : within("completion.percent", completion.percent, 1),
  };
}

function parseCourseGrade(
  grade: RecordFields["courseGrade"],
  { isDeleted, observedAt }: Fact,
): CourseGradeFact {
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

function statedGrade({ percent, passed, letter = "" }: RecordFields["courseGrade"]) {
  const isBare = percent === undefined && passed === undefined && letter === "";
  return {
    percent: percent === undefined ? (isBare ? 0 : null) : totalFraction("course_grade.percent", percent),
    passed: passed ?? null,
    letter: checkShownText("course_grade.letter", letter, { ...LETTER_LENGTH, min: 0 }),
  };
}

function assignmentType(field: string, text: string): string {
  const name = checkText(field, text, NAME).toLowerCase();
  if (RESERVED_ASSIGNMENT_TYPES.has(name))
    throw wrongField(field, `is ${quoted(text)}, which is a reserved name: choose another one.`);
  return name;
}

/** Returns whether records accept this assignment type. */
export function isAssignmentType(text: string): boolean {
  try {
    assignmentType("", text);
    return true;
  } catch {
    return false;
  }
}

/** NaN fails every comparison, so `within` refuses it. */
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

/** Checks a total. Extra credit can raise it above 1, which is stored as 1. */
function totalFraction(field: string, value: number): number {
  if (value >= 0 && value <= MAX_TOTAL / 100) return Math.min(1, value);
  throw wrongField(
    field,
    `is ${value}; it must be a number from 0 to 1. Values up to ${MAX_TOTAL / 100}, from extra credit, are accepted as 1.`,
  );
}

function refuseRepeated(field: string, values: readonly string[]): void {
  const repeated = values.find((value, index) => values.indexOf(value) !== index);
  if (repeated !== undefined) throw wrongField(field, `names ${quoted(repeated)} more than once.`);
}

/** Omits empty attributes. */
export function parseAttributes(field: string, attributeMap: { readonly [key: string]: string }): Attributes {
  const keys = Object.keys(attributeMap);
  if (keys.length === 0) return NO_ATTRIBUTES;
  checkCount(field, keys, MAX_ATTRIBUTES);
  const wrong = keys.find((key) => !isAttributeKey(key));
  if (wrong !== undefined) {
    throw wrongField(
      field,
      `has the key ${quoted(wrong)}; a key must have 1 to 40 characters, only a to z, digits and _, and begin with a letter.`,
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
  checkText("learner.locale", text, { min: 0, max: MAX_NAME });
  const tag = canonicalTag(text);
  if (tag !== undefined) return tag;
  throw wrongField("learner.locale", `is ${quoted(text)}; it must be a language tag, such as pt-BR.`);
}
