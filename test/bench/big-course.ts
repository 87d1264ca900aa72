import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { searchWords } from "#foundation/text/search-words.js";
import type { RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { enrolled } from "../support/records.js";

/** Key of a course with very many learners. Each learner has one grade for each of five assignment types. */
export const COURSE_KEY = "course-v1:Bench+Big+2026";

/** The assignment types in the order of the grading policy. */
const assignmentTypes = ["homework", "lab", "quiz", "midterm", "exam"];
const weights = [0.1, 0.1, 0.2, 0.2, 0.4];

/** About four in ten learners have at least these grades. */
export const requiredGrades = { Exam: 0.65, Total: 0.7 };

const OBSERVED_AT = new Date("2026-01-15T10:30:00Z");

/** A table of learner records with its columns, and the rows of the course in chunks for COPY. */
export interface CopyTable {
  readonly name: string;
  readonly columns: string;
  readonly chunks: readonly Buffer[];
}

/** Chunks of this many rows have about 64 kB. */
const ROWS_PER_CHUNK = 500;

type RecordInit = MessageInitShape<typeof RecordSchema>;

/** Returns the records that the platform sends for the course, one kind after the other. */
export function recordsOf(learners: number): RecordInit[] {
  const observeTime = timestampFromDate(OBSERVED_AT);
  const everyone = Array.from({ length: learners }, (_, index) => index);
  const kinds: NonNullable<RecordInit["kind"]>[] = [
    {
      case: "course",
      value: {
        courseKey: COURSE_KEY,
        displayName: "A big course",
        gradingPolicy: assignmentTypes.map((assignmentType, index) => ({
          assignmentType,
          weight: weights[index] ?? 0,
        })),
      },
    },
    ...everyone.map((index) => ({ case: "learner" as const, value: learner(index) })),
    ...everyone.map((index) => enrolled(username(index), COURSE_KEY)),
    ...everyone.flatMap((index) =>
      grades(index).map((value) => ({ case: "subsectionGrade" as const, value })),
    ),
  ];
  return kinds.map((kind) => ({ kind, observeTime }));
}

/** Returns the records of `recordsOf` as rows of tables. */
export function tablesOf(learners: number): CopyTable[] {
  const reported = [OBSERVED_AT.toISOString(), "f"];
  const everyone = Array.from({ length: learners }, (_, index) => index);
  const row = (...values: (string | number)[]) => `${[...values, ...reported].join("\t")}\n`;
  return [
    {
      name: "courses",
      columns: "course_key, display_name, assignment_types, weights, observed_at, is_deleted",
      chunks: chunked([row(COURSE_KEY, "A big course", `{${assignmentTypes}}`, `{${weights}}`)]),
    },
    {
      name: "learners",
      columns: "username, email, full_name, is_active, locale, search_words, observed_at, is_deleted",
      chunks: chunked(
        everyone.map((index) => {
          const { username, email, fullName, locale } = learner(index);
          return row(username, email, fullName, "t", locale, searchWords(fullName, username));
        }),
      ),
    },
    {
      name: "enrollments",
      columns: "username, learning_context_key, is_active, observed_at, is_deleted",
      chunks: chunked(everyone.map((index) => row(username(index), COURSE_KEY, "t"))),
    },
    {
      name: "subsection_grades",
      // The columns are in the order of `grades`.
      columns: "username, course_key, usage_key, assignment_type, earned, possible, observed_at, is_deleted",
      chunks: chunked(everyone.flatMap(grades).map((grade) => row(...Object.values(grade)))),
    },
  ];
}

function chunked(rows: readonly string[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_CHUNK) {
    chunks.push(Buffer.from(rows.slice(start, start + ROWS_PER_CHUNK).join("")));
  }
  return chunks;
}

/** Returns a username. Like real usernames, they are neither sorted nor clustered. */
export function username(index: number): string {
  return `${scattered(index).toString(36)}.learner.${index}`;
}

function learner(index: number) {
  const name = username(index);
  return { username: name, email: `${name}@example.org`, fullName: `Learner Number ${index}`, locale: "en" };
}

function grades(index: number) {
  return assignmentTypes.map((assignmentType, position) => ({
    username: username(index),
    courseKey: COURSE_KEY,
    usageKey: `block-v1:Bench+Big+2026+type@sequential+block@${assignmentType}`,
    assignmentType,
    earned: 100 - Math.floor(60 * (scattered(5 * index + position) / 2 ** 32)) - 0.5 * (index % 2),
    possible: 100,
  }));
}

/** Maps each index to a number below 2^32, by Knuth's multiplicative hash. */
function scattered(index: number): number {
  return Math.imul(index + 1, 2_654_435_761) >>> 0;
}
