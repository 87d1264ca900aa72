/** The assignment type under which the total of a course is stored, if a platform or a table states the total. */
export const TOTAL_TYPE = "course total";

/** The usage key of this total. */
export const TOTAL_KEY = "course-total";
