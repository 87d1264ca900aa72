import { API_OWNER } from "#domain/learners/owners.js";
import { type LearnerRecord, NO_ATTRIBUTES } from "#domain/learners/record.js";
import { courses, paths, type SampleCourse, type SamplePath } from "./academy.js";
import { drawPathEnrollments, drawScoreSheets } from "./drawn-learners.js";
import { type AcademyLearner, learners } from "./learners.js";
import { handWritten, pathEnrollments, type ScoreSheet, scoreSheets } from "./score-sheets.js";

/** The records date from the end of the term. With a fixed time, importing them again changes nothing. */
const common = { isDeleted: false, observedAt: "2025-12-19T16:00:00.000000Z" };

/** Returns the records that the academy's platform would send: always the same ones, in the same order. */
export function sampleRecords(): LearnerRecord[] {
  const drawn = learners.map(([username]) => username).filter((username) => !handWritten.has(username));
  const sheets = [...scoreSheets, ...drawn.flatMap(drawScoreSheets)];
  return [
    ...Object.values(courses).map(courseRecord),
    ...Object.values(paths).map(pathRecord),
    ...learners.map(learnerRecord),
    ...[...pathEnrollments, ...drawn.flatMap(drawPathEnrollments)].map(({ username, path }) =>
      enrollmentRecord(username, path.pathKey, true),
    ),
    ...sheets.flatMap(sheetRecords),
  ];
}

function courseRecord({ courseKey, displayName, grading }: SampleCourse): LearnerRecord {
  return {
    kind: "course",
    ...common,
    courseKey,
    displayName,
    assignmentTypes: grading.map(({ assignmentType }) => assignmentType),
    weights: grading.map(({ weight }) => weight),
    letterGrades: [],
  };
}

function pathRecord({ pathKey, displayName, inviteOnly, steps }: SamplePath): LearnerRecord {
  const stepCourseKeys = steps.map(({ courseKey }) => courseKey);
  return { kind: "learningPath", ...common, pathKey, displayName, inviteOnly, stepCourseKeys, category: "" };
}

function learnerRecord([username, fullName, locale]: AcademyLearner): LearnerRecord {
  // `.example` is a reserved domain, so no email of the sample academy reaches anyone.
  const email = /^[a-z0-9.]+$/.test(username) ? `${username}@harbourlight.example` : "";
  return {
    kind: "learner",
    ...common,
    username,
    email,
    fullName,
    isActive: true,
    locale,
    learnerId: "",
    attributes: NO_ATTRIBUTES,
    owner: API_OWNER,
    takesOver: false,
  };
}

function enrollmentRecord(username: string, learningContextKey: string, isActive: boolean): LearnerRecord {
  return { kind: "enrollment", ...common, username, learningContextKey, isActive, attributes: NO_ATTRIBUTES };
}

function sheetRecords({ username, course, isActive, unitsCompleted, scores }: ScoreSheet): LearnerRecord[] {
  const { courseKey, units } = course;
  const percent = unitsCompleted / units;
  const grades = course.grading.flatMap(({ assignmentType, points }) =>
    (scores[assignmentType] ?? []).map((earned, piece): LearnerRecord => {
      const usageKey = `${assignmentType.replaceAll(" ", "-")}-${piece + 1}`;
      const key = { username, courseKey, usageKey };
      return { kind: "subsectionGrade", ...common, ...key, assignmentType, earned, possible: points };
    }),
  );
  return [
    enrollmentRecord(username, courseKey, isActive),
    ...grades,
    { kind: "completion", ...common, username, courseKey, percent },
  ];
}
