import { Problem, quoted } from "#foundation/errors.js";
import { searchWords } from "#foundation/text/search-words.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { execute } from "#infrastructure/db/query.js";
import { findContextName } from "./context-name.js";
import type { CourseFact } from "./record.js";

/** Records a course that no platform has reported. @throws Problem `already-exists` if the course has a record */
export function createCourse(database: Database, course: CourseFact, signal: AbortSignal): Promise<void> {
  return inTransaction(database, signal, async (transaction) => {
    const { courseKey, displayName, assignmentTypes, weights, letterGrades } = course;
    const created = await execute(
      transaction,
      `insert into courses as known
         (course_key, display_name, assignment_types, weights, letter_grades, search_words, is_deleted, observed_at)
       values (:courseKey, :displayName, :assignmentTypes, :weights, :letterGrades, :words::tsvector, false, now())
       on conflict (course_key) do update set
         (display_name, assignment_types, weights, letter_grades, search_words, is_deleted, observed_at) =
         (excluded.display_name, excluded.assignment_types, excluded.weights, excluded.letter_grades,
          excluded.search_words, false, now())
       where known.is_deleted`,
      {
        courseKey,
        displayName,
        assignmentTypes: [...assignmentTypes],
        weights: [...weights],
        letterGrades: [...letterGrades],
        words: searchWords(displayName, courseKey),
      },
    );
    if (created > 0) return;
    const name = (await findContextName(transaction, courseKey)) ?? "";
    throw new Problem(
      "already-exists",
      `The key ${courseKey} belongs to the course ${quoted(name)}: choose another key.`,
      { field: "course.course_key" },
    );
  });
}
