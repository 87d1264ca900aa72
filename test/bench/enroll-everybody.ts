import type pg from "pg";
import { COURSE_KEY } from "./big-course.js";

/** Enrols all learners of the big course in another context, too. */
export async function enrollEverybody(sql: pg.Client, learningContextKey: string): Promise<void> {
  await sql.query(
    `insert into enrollments (learning_context_key, username, is_active, observed_at, is_deleted)
     select $1, username, is_active, observed_at, is_deleted from enrollments where learning_context_key = $2`,
    [learningContextKey, COURSE_KEY],
  );
}
