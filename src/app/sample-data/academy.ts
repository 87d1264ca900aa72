export const academyName = "Harbour Light Academy";

export interface SampleCourse {
  readonly courseKey: string;
  readonly displayName: string;
  /** In the order of the grading policy. If empty, the course has no grades, only completion. */
  readonly grading: readonly GradedWork[];
  /** Number of units, in which completion is measured. */
  readonly units: number;
  /** Share of learners who enrol, 0..1. */
  readonly popularity: number;
}

/** An assignment type, with the number of assignments and the points for each. */
export interface GradedWork {
  readonly assignmentType: string;
  readonly weight: number;
  readonly pieces: number;
  readonly points: number;
  /** Points above the maximum that each assignment can get. */
  readonly extraCredit?: number;
}

export interface SamplePath {
  readonly pathKey: string;
  readonly displayName: string;
  readonly inviteOnly: boolean;
  readonly steps: readonly SampleCourse[];
  readonly popularity: number;
}

const nightSky: SampleCourse = {
  courseKey: "course-v1:HarbourLight+AST101+2025",
  displayName: "Reading the Night Sky",
  grading: [
    { assignmentType: "homework", weight: 0.15, pieces: 5, points: 10, extraCredit: 1 },
    { assignmentType: "lab", weight: 0.15, pieces: 3, points: 20 },
    { assignmentType: "midterm", weight: 0.3, pieces: 1, points: 50 },
    { assignmentType: "final", weight: 0.4, pieces: 1, points: 100 },
  ],
  units: 40,
  popularity: 0.45,
};

/** Shows why exact decimals are needed: in floating point, some totals of exactly 60 become 59.99999999999999. */
const statistics: SampleCourse = {
  courseKey: "course-v1:HarbourLight+STA201+2025",
  displayName: "Statistics Without Fear",
  grading: [
    { assignmentType: "quiz", weight: 0.07, pieces: 4, points: 10 },
    { assignmentType: "problem set", weight: 0.13, pieces: 5, points: 20 },
    { assignmentType: "project", weight: 0.22, pieces: 1, points: 50, extraCredit: 5 },
    { assignmentType: "final", weight: 0.58, pieces: 1, points: 100 },
  ],
  units: 25,
  popularity: 0.3,
};

const weather: SampleCourse = {
  courseKey: "course-v1:HarbourLight+MET150+2025",
  displayName: "Weather at Sea: What the Clouds Have Known All Along",
  grading: [
    { assignmentType: "forecast", weight: 0.5, pieces: 10, points: 4 },
    { assignmentType: "oral exam", weight: 0.5, pieces: 1, points: 20 },
  ],
  units: 20,
  popularity: 0.2,
};

const navigation: SampleCourse = {
  courseKey: "course-v1:HarbourLight+NAV301+2025",
  displayName: "Celestial Navigation",
  grading: [
    { assignmentType: "sextant", weight: 0.25, pieces: 6, points: 5 },
    { assignmentType: "chart work", weight: 0.25, pieces: 4, points: 25 },
    { assignmentType: "final", weight: 0.5, pieces: 1, points: 60 },
  ],
  units: 30,
  popularity: 0.1,
};

const botany: SampleCourse = {
  courseKey: "course-v1:HarbourLight+BOT110+2025",
  displayName: "Botany for City Walkers",
  grading: [{ assignmentType: "herbarium", weight: 1, pieces: 8, points: 5 }],
  units: 16,
  popularity: 0.15,
};

/** A course without a grading policy. */
const bookbinding: SampleCourse = {
  courseKey: "course-v1:HarbourLight+BKB120+2025",
  displayName: "Bookbinding by Hand",
  grading: [],
  units: 12,
  popularity: 0.25,
};

const navigator: SamplePath = {
  pathKey: "path-v1:HarbourLight+NAVIGATOR+2025+crew",
  displayName: "The Navigator: From First Star to Safe Harbour",
  inviteOnly: true,
  steps: [nightSky, weather, navigation],
  popularity: 0.12,
};

const curiousHands: SamplePath = {
  pathKey: "path-v1:HarbourLight+CURIOUS+2025+open",
  displayName: "Curious Hands",
  inviteOnly: false,
  steps: [botany, bookbinding],
  popularity: 0.1,
};

export const courses = { nightSky, statistics, weather, navigation, botany, bookbinding };

export const paths = { navigator, curiousHands };
