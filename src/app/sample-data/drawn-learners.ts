import { courses, type GradedWork, paths, type SampleCourse } from "./academy.js";
import { draw } from "./draw.js";
import type { PathEnrollment, ScoreSheet } from "./score-sheets.js";

/** Draws the learner's learning paths by popularity. */
export function drawPathEnrollments(username: string): PathEnrollment[] {
  return Object.values(paths)
    .filter(({ pathKey, popularity }) => draw(username, pathKey) < popularity)
    .map((path) => ({ username, path }));
}

/** Draws a score sheet for each course of the learner: the steps of the learner's paths, and others by popularity. */
export function drawScoreSheets(username: string): ScoreSheet[] {
  const required = drawPathEnrollments(username).flatMap(({ path }) => path.steps);
  return Object.values(courses)
    .filter((course) => required.includes(course) || draw(username, course.courseKey) < course.popularity)
    .map((course) => drawScoreSheet(username, course));
}

/** Draws a score sheet. One in six learners stops early and attempts nothing more. The others attempt everything. */
function drawScoreSheet(username: string, course: SampleCourse): ScoreSheet {
  const { courseKey, units, grading } = course;
  const reached = Math.min(1, 6 * draw(username, courseKey, "stays"));
  const thoroughness = 0.8 + 0.4 * draw(username, courseKey, "thoroughness");
  const completed = reached < 1 ? reached : Math.min(1, thoroughness);
  const pieces = grading.reduce((sum, work) => sum + work.pieces, 0);
  let attempts = Math.ceil(pieces * reached);
  const scores: Record<string, number[]> = {};
  for (const work of grading) {
    const attempted = Math.min(attempts, work.pieces);
    attempts -= attempted;
    scores[work.assignmentType] = Array.from({ length: attempted }, (_, piece) =>
      drawScore(username, courseKey, work, piece),
    );
  }
  return {
    username,
    course,
    isActive: draw(username, courseKey, "is active") > 0.06,
    unitsCompleted: Math.floor(units * completed),
    scores,
  };
}

/** Draws a score. Talent depends on the learner, luck on the assignment. The average is about 74 %. */
function drawScore(username: string, courseKey: string, work: GradedWork, piece: number): number {
  const { assignmentType, points, extraCredit = 0 } = work;
  const talent = (draw(username, "head") + draw(username, "heart") + draw(username, "sleep")) / 3;
  const luck = draw(username, courseKey, assignmentType, piece) - 0.5;
  const share = 0.4 + 0.68 * talent + 0.35 * luck;
  return Math.min(points + extraCredit, Math.round(points * share));
}
