/**
 * The assignment type of the total for a course that a platform or a table contains. This total is stored as the only
 * graded subsection of the course.
 */
export const TOTAL_TYPE = "course total";
