export const [PAST, FUTURE] = ["2020-06-30", "2199-06-30"];

export interface OneRosterSite {
  readonly terms: Map<string, string>;
  readonly users: Map<string, SiteStudent>;
  readonly classes: Map<string, SiteClass>;
  readonly categories: Map<string, string>;
  readonly deletedCategories: Set<string>;
}

export interface SiteStudent {
  readonly id: string;
  username: string;
  readonly more?: Record<string, unknown>;
}

export interface SiteClass {
  readonly id: string;
  code: string;
  title: string;
  status: "active" | "tobedeleted";
  readonly terms: readonly string[];
  readonly enrolments: SiteEnrolment[];
  readonly items: SiteItem[];
  readonly results: SiteResult[];
}

export interface SiteEnrolment {
  readonly userId: string;
  role: string;
  status: "active" | "tobedeleted";
  beginDate?: string;
  endDate?: string | null;
}

export interface SiteItem {
  readonly id: string;
  title: string;
  readonly categoryId?: string;
  readonly most: number;
  status?: "active" | "tobedeleted";
}

export interface SiteResult {
  readonly itemId: string;
  readonly userId: string;
  scoreStatus: string;
  score: number | null;
  status?: "active" | "tobedeleted";
  textScore?: string;
  inProgress?: string | boolean;
  incomplete?: string | boolean;
}

/** Creates a site whose classes have the same students. Every second class has ended. */
export function createOneRosterSite(size: {
  readonly classes: number;
  readonly students: number;
}): OneRosterSite {
  const site: OneRosterSite = {
    terms: new Map([
      ["past", PAST],
      ["now", FUTURE],
    ]),
    users: new Map(),
    classes: new Map(),
    deletedCategories: new Set(),
    categories: new Map([
      ["hw", "Homework"],
      ["ex", "Exam"],
    ]),
  };
  for (let at = 0; at < size.classes; at++) {
    const one: SiteClass = {
      id: `class-${at}`,
      code: `C ${at}`,
      title: `Class ${at}`,
      status: "active",
      terms: [at % 2 === 0 ? "past" : "now"],
      enrolments: [],
      items: [
        { id: `hw1-${at}`, title: "First", categoryId: "hw", most: 10 },
        { id: `hw2-${at}`, title: "Second", categoryId: "hw", most: 5 },
        { id: `fin-${at}`, title: " final ", categoryId: "ex", most: 20 },
      ],
      results: [],
    };
    site.classes.set(one.id, one);
    for (let student = 0; student < size.students; student++) attends(site, one, student);
  }
  return site;
}

/** Adds a student to a class, with grades that depend on the student's number. */
export function attends(site: OneRosterSite, one: SiteClass, student: number): void {
  joins(site, one, student);
  grade(one, student, "hw1", "fully graded", student % 11);
  if (student % 3 === 0) grade(one, student, "hw2", "fully graded", 4.5);
  if (student % 2 === 0) grade(one, student, "fin", "fully graded", student % 21);
}

export function joins(
  site: OneRosterSite,
  one: SiteClass,
  student: number,
  more: Partial<SiteEnrolment> = {},
): void {
  const id = `s${student}`;
  if (!site.users.has(id)) site.users.set(id, { id, username: `learner${student}` });
  one.enrolments.push({ userId: id, role: "student", status: "active", ...more });
}

export function grade(
  one: SiteClass,
  student: number,
  item: string,
  scoreStatus: string,
  score: number | null,
): void {
  const itemId = `${item}-${one.id.slice(6)}`;
  one.results.push({ itemId, userId: `s${student}`, scoreStatus, score });
}

/** Returns what the database must contain for `createOneRosterSite`, in the form of `known`. */
export function oneRosterLines(site: OneRosterSite, students: number): string[] {
  const lines = [...site.classes.values()].flatMap(({ id, title, terms }, at) => {
    const key = `course-v1:Uni+C_${at}+${id}`;
    const hasEnded = terms[0] === "past";
    const own = Array.from({ length: students }, (_, student) => {
      const username = `learner${student}`;
      const homework = (student % 11) + (student % 3 === 0 ? 4.5 : 0);
      const final = student % 21;
      return [
        `enrolment ${key} ${username} true`,
        ...(hasEnded ? [`grade ${key} ${username} category-hw homework ${homework}/15`] : []),
        ...(student % 2 === 0
          ? [
              `grade ${key} ${username} course-total course total ${final}/20`,
              `total ${key} ${username} ${final / 20} unsaid`,
            ]
          : []),
      ];
    });
    const policy = `course total=1${hasEnded ? ",homework=0" : ""}`;
    return [`course ${key} ${title} ${policy}`, ...own.flat()];
  });
  const learners = Array.from(
    { length: students },
    (_, student) =>
      `learner learner${student} learner${student}@secretmail.example Given s${student} Qvortrup true`,
  );
  return [...lines, ...learners].sort();
}
