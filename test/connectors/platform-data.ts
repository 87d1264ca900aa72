/** The data of a learning platform. The fake platforms serve this data, and tests compare the database with it. */
export interface PlatformData {
  readonly courses: Map<string, PlatformCourse>;
  readonly users: Map<number, PlatformUser>;
  readonly paths: Map<string, PlatformPath>;
  readonly retirements: { username: string; created: string }[];
}

export interface PlatformUser {
  readonly id: number;
  username: string;
  email: string;
  name: string;
  verifiedName: string | null;
  isActive: boolean;
  /** Language that the user has chosen for the site. */
  language?: string;
}

export interface PlatformCourse {
  /** Id of the course in Moodle. */
  readonly id: number;
  name: string;
  /** Short name in Moodle. Default: the middle part of the key */
  shortName?: string;
  isHidden: boolean;
  /** Minimum totals for letter grades, best first. */
  cutoffs: Record<string, number>;
  policy: { type: string; weight: number; dropCount: number; minCount?: number }[];
  subsections: Subsection[];
  /** Members by user id. */
  readonly members: Map<number, Member>;
  /** Former members, who are no longer listed. */
  readonly left: Set<number>;
}

export interface Subsection {
  readonly key: string;
  readonly type: string;
  readonly possible: number;
  /** Returns whether a learner can see the subsection. If undefined, everyone can see it. */
  readonly seenBy?: (id: number) => boolean;
  /** Whether the subsection is hidden from the outline of the course. It is graded like the others. */
  readonly isUnlisted?: boolean;
  /** When the subsection is released. If undefined, it was released long ago. */
  startsAt?: string;
}

export interface Member {
  isActive: boolean;
  /** Points by subsection. A subsection that is missing was not attempted. */
  readonly scores: Map<string, number>;
  completion: number;
}

export interface PlatformPath {
  name: string;
  inviteOnly: boolean;
  steps: string[];
  readonly members: Set<number>;
}

/** Creates a generator of random numbers that are the same in each run. */
export function createChance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export const PASS = 0.5;

/** Creates an academy in which each learner is in one to three courses. */
export function createPlatformData(size: {
  readonly courses: number;
  readonly learners: number;
  readonly paths?: number;
  readonly seed?: number;
}): PlatformData {
  const draw = createChance(size.seed ?? 1);
  const academy: PlatformData = { courses: new Map(), users: new Map(), paths: new Map(), retirements: [] };
  for (let number = 1; number <= size.courses; number++) {
    const key = `course-v1:Uni+C${number}+2026`;
    academy.courses.set(key, {
      id: number + 1,
      name: number === 1 ? "R&D <Basics>" : `Course ${number}`,
      isHidden: number === 2,
      cutoffs: number === 1 ? { A: 0.8, B: 0.6, C: PASS } : { Pass: PASS },
      policy: [
        { type: "Homework", weight: 0.4, dropCount: number === 3 ? 1 : 0 },
        { type: "Exam", weight: 0.6, dropCount: 0 },
      ],
      subsections: [
        ...[1, 2, 3].map((each) => ({
          key: `block-v1:Uni+C${number}+2026+type@sequential+block@h${each}`,
          type: "Homework",
          possible: 10,
        })),
        { key: `block-v1:Uni+C${number}+2026+type@sequential+block@exam`, type: "Exam", possible: 50 },
      ],
      members: new Map(),
      left: new Set(),
    });
  }
  const keys = [...academy.courses.keys()];
  for (let number = 1; number <= size.learners; number++) {
    addUser(academy, number);
    for (let count = 0; count <= draw(3); count++) {
      enrol(academy, keys[draw(keys.length)] as string, number, draw);
    }
  }
  for (let number = 1; number <= (size.paths ?? 0); number++) {
    academy.paths.set(`path-v1:Uni+P${number}+2026+a`, {
      name: `Path ${number}`,
      inviteOnly: number % 2 === 1,
      steps: keys.slice(0, 2),
      members: new Set([...academy.users.keys()].filter((id) => id % (number + 2) === 0)),
    });
  }
  return academy;
}

export function addUser(academy: PlatformData, id: number, username = `learner${id}`): PlatformUser {
  const user: PlatformUser = {
    id,
    username,
    email: `${username}@secretmail.test`,
    name: `Zdenka${id} Qvortrup`,
    verifiedName: id % 7 === 0 ? `Verified${id} Qvortrup` : null,
    isActive: id % 11 !== 0,
  };
  academy.users.set(id, user);
  return user;
}

export function enrol(academy: PlatformData, key: string, id: number, draw: (below: number) => number): void {
  const course = academy.courses.get(key) as PlatformCourse;
  const scores = new Map<string, number>();
  for (const subsection of course.subsections)
    if (draw(3) > 0) scores.set(subsection.key, draw(subsection.possible + 1));
  course.members.set(id, { isActive: draw(8) > 0, scores, completion: draw(101) / 100 });
  course.left.delete(id);
}

/** Returns the letter grade of a total; empty if the total is below all cutoffs. */
export function letterOf({ cutoffs }: PlatformCourse, total: number): string {
  return Object.entries(cutoffs).find(([, least]) => total >= least)?.[0] ?? "";
}

/** Returns the total as Open edX computes it: the mean of each type's percentages, without the lowest ones. */
export function totalOf(course: PlatformCourse, member: Member): number {
  const total = course.policy.reduce((sum, { type, weight, dropCount }) => {
    const percentages = course.subsections
      .filter((subsection) => subsection.type === type)
      .map(({ key, possible }) => (possible === 0 ? 0 : (member.scores.get(key) ?? 0) / possible))
      .sort((a, b) => b - a);
    const stored = percentages.slice(0, Math.max(0, percentages.length - dropCount));
    const mean = stored.length === 0 ? 0 : stored.reduce((all, each) => all + each, 0) / stored.length;
    return sum + mean * weight;
  }, 0);
  return Math.round(Math.min(1, total) * 10_000) / 10_000;
}

/**
 * Returns what the database must contain for an academy, as sorted lines. Inactive learners of a course keep older
 * grades.
 */
export function projected(academy: PlatformData, options: { readonly completion: boolean }): string[] {
  const lines: string[] = [];
  const named = (id: number) => academy.users.get(id)?.username ?? "";
  const isThere = (id: number) => academy.users.has(id) && !named(id).startsWith("retired__");
  const reported = new Set<number>();
  for (const [key, course] of academy.courses) {
    const weights = course.policy.map(({ type, weight }) => `${type.toLowerCase()}=${weight}`);
    lines.push(`course ${key} ${course.name} ${weights.join(",")}`);
    for (const [id, member] of course.members) {
      if (!isThere(id)) continue;
      reported.add(id);
      lines.push(`enrolment ${key} ${named(id)} ${member.isActive}`);
      if (!member.isActive) continue;
      for (const subsection of course.subsections) {
        const earned = member.scores.get(subsection.key) ?? 0;
        lines.push(
          `grade ${key} ${named(id)} ${subsection.key} ${subsection.type.toLowerCase()} ${earned}/${subsection.possible}`,
        );
      }
      const total = totalOf(course, member);
      const letter = letterOf(course, total);
      lines.push(`total ${key} ${named(id)} ${total} ${letter !== ""}${letter}`);
      if (options.completion) lines.push(`completion ${key} ${named(id)} ${member.completion}`);
    }
    for (const id of course.left) if (isThere(id)) lines.push(`enrolment ${key} ${named(id)} false`);
  }
  for (const [key, path] of academy.paths) {
    lines.push(`path ${key} ${path.name} ${path.inviteOnly} ${path.steps.join(",")}`);
    for (const id of path.members) if (isThere(id)) lines.push(`enrolment ${key} ${named(id)} true`);
    for (const id of path.members) if (isThere(id)) reported.add(id);
  }
  for (const id of reported) {
    const user = academy.users.get(id) as PlatformUser;
    lines.push(`learner ${user.username} ${user.email} ${user.verifiedName ?? user.name} ${user.isActive}`);
  }
  return lines.sort();
}
