import { courses, paths, type SampleCourse, type SamplePath } from "./academy.js";

/** One learner's results in one course. */
export interface ScoreSheet {
  readonly username: string;
  readonly course: SampleCourse;
  readonly isActive: boolean;
  readonly unitsCompleted: number;
  /** Scores by assignment type, one for each assignment that was attempted. */
  readonly scores: Readonly<Record<string, readonly number[]>>;
}

export interface PathEnrollment {
  readonly username: string;
  readonly path: SamplePath;
}

const { nightSky, statistics, weather, navigation } = courses;

/** Score sheets written by hand, because examples depend on their values. `drawn-learners.ts` generates the others. */
export const scoreSheets: readonly ScoreSheet[] = [
  {
    username: "ana.kovac", // 94, 95, 92, 91: 92.35 in total
    course: nightSky,
    isActive: true,
    unitsCompleted: 40,
    scores: { homework: [10, 9, 11, 8, 9], lab: [19, 20, 18], midterm: [46], final: [91] },
  },
  {
    username: "jonas.lindqvist", // 80, 80, 70, 62: 69.8 in total
    course: nightSky,
    isActive: true,
    unitsCompleted: 38,
    scores: { homework: [9, 8, 8, 7, 8], lab: [17, 15, 16], midterm: [35], final: [62] },
  },
  {
    username: "ilgin.sahinbas", // 70, 58, 58, 60: exactly 60 in total, but 59.99999999999999 in floating point
    course: statistics,
    isActive: true,
    unitsCompleted: 22,
    scores: { quiz: [8, 7, 7, 6], "problem set": [12, 11, 13, 12, 10], project: [29], final: [60] },
  },
  {
    username: "eleni.kastanou",
    course: nightSky,
    isActive: true,
    unitsCompleted: 40,
    scores: { homework: [9, 10, 10, 9, 10], lab: [18, 18, 19], midterm: [44], final: [88] },
  },
  {
    username: "eleni.kastanou",
    course: weather,
    isActive: true,
    unitsCompleted: 18,
    scores: { forecast: [3, 4, 2, 4, 3, 3, 4, 4, 3, 4], "oral exam": [17] },
  },
  {
    username: "eleni.kastanou",
    course: navigation,
    isActive: true,
    unitsCompleted: 30,
    scores: { sextant: [4, 5, 5, 4, 5, 5], "chart work": [21, 24, 19, 25], final: [52] },
  },
  {
    username: "guest.4711",
    course: nightSky,
    isActive: true,
    unitsCompleted: 39,
    scores: { homework: [8, 8, 8, 8, 8], lab: [16, 16, 16], midterm: [42], final: [80] },
  },
  {
    username: "tiziri.ameqran",
    course: nightSky,
    isActive: true,
    unitsCompleted: 40,
    scores: { homework: [9, 9, 10, 10, 8], lab: [18, 17, 20], midterm: [45], final: [85] },
  },
  {
    username: "bjorn.akeroy", // 68, 66.666…, 86, 60: exactly 70 in total
    course: nightSky,
    isActive: true,
    unitsCompleted: 36,
    scores: { homework: [7, 6, 8, 7, 6], lab: [14, 12, 14], midterm: [43], final: [60] },
  },
  {
    username: "sjoerd.vantzand", // 83.2 in total, but 58 in the final
    course: nightSky,
    isActive: true,
    unitsCompleted: 40,
    scores: { homework: [10, 10, 10, 10, 10], lab: [20, 20, 20], midterm: [50], final: [58] },
  },
  {
    username: "zoe.lhermitte", // passed, then left the course
    course: nightSky,
    isActive: false,
    unitsCompleted: 40,
    scores: { homework: [9, 9, 9, 9, 9], lab: [18, 18, 18], midterm: [45], final: [90] },
  },
];

export const pathEnrollments: readonly PathEnrollment[] = [
  { username: "eleni.kastanou", path: paths.navigator },
];

/** Learners whose records are all written by hand. */
export const handWritten: ReadonlySet<string> = new Set([
  ...scoreSheets.map(({ username }) => username),
  "tala.mansour", // not enrolled anywhere
]);
