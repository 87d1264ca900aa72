import { afterEach, expect, test } from "vitest";
import { type Bench, openBench } from "./bench.js";
import {
  addSiteUser,
  compute,
  createSite,
  enrolIn,
  grade,
  groupPoints,
  isActiveIn,
  learnersOf,
  type SiteAssignment,
  type SiteCourse,
  shownTotal,
} from "./canvas-site.js";
import { startFakeCanvas } from "./fake-canvas.js";
import { startFakeOpenEdx } from "./fake-open-edx.js";
import type { FaultyServer } from "./faulty-server.js";
import { addUser, createChance, createPlatformData, type Subsection } from "./platform-data.js";

/*
 * Issuing credentials based on partial data is the worst error that a connector could cause. Therefore, courses change
 * at random, and the platform fails at random. Even then, nobody's share of the points in the database may exceed the
 * largest share that the platform has ever known.
 */

const COURSE = "course-v1:Uni+C1+2026";
const TYPES = ["Homework", "Exam"];

let lms: FaultyServer;
let bench: Bench;

afterEach(async () => {
  await bench.close();
  await lms.close();
});

/**
 * Shares of points by `learner type`: the current shares on the platform, or the largest that the platform has known.
 */
type Shares = Map<string, number>;

test.each([1, 2, 3, 4])("Open edX: nobody attains more here than on the platform (%i)", async (seed) => {
  const draw = createChance(seed);
  const academy = createPlatformData({ courses: 1, learners: 0, paths: 0 });
  const course = academy.courses.get(COURSE);
  if (!course) throw new Error("there is no course");
  course.subsections = [];
  for (let id = 1; id <= 45; id++) {
    addUser(academy, id).isActive = true;
    course.members.set(id, { isActive: true, scores: new Map(), completion: 0 });
  }
  lms = await startFakeOpenEdx(academy);
  bench = await openBench(lms.url);
  const known: Shares = new Map();
  let number = 0;
  let withheld = 0;
  let shares = 0;

  for (let round = 0; round < 12; round++) {
    for (let edit = 0; edit < 3; edit++) change();
    noteTruth();
    lms.fault = (_, count) =>
      round % 3 === 2 && count % 5 === draw(5) ? { status: 404, body: {} } : undefined;
    const report = await bench.sweep({ acceptsWithdrawals: true });
    withheld += report.withheld.length;
    for (const { username, type, share } of await sharesHere()) {
      shares++;
      expect(share, `${username} ${type}`).toBeLessThanOrEqual(
        (known.get(`${username} ${type}`) ?? 0) + 1e-9,
      );
    }
  }
  expect([withheld > 0, shares > 100]).toEqual([true, true]);

  function change(): void {
    if (!course) return;
    const { subsections } = course;
    switch (draw(6)) {
      case 0: // a new subsection: for all learners, for a cohort, or not released yet
      case 1:
        subsections.push(newSubsection());
        break;
      case 2: // a release
        course.subsections = subsections.map((one) => (draw(2) ? { ...one, seenBy: () => true } : one));
        break;
      case 3: // a deletion
        if (subsections.length > 3) subsections.splice(draw(subsections.length), 1);
        break;
      case 4: // the policy requires more subsections
        course.policy = TYPES.map((type) => ({ type, weight: 0.5, dropCount: draw(2), minCount: draw(4) }));
        break;
      default: {
        // a learner who joins late
        const id = 100 + number++;
        addUser(academy, id).isActive = true;
        course.members.set(id, { isActive: true, scores: new Map(), completion: 0 });
      }
    }
    for (const [id, { scores }] of course.members) {
      for (const { key, possible, seenBy } of course.subsections)
        if (draw(4) === 0 && (seenBy?.(id) ?? true))
          scores.set(key, Math.max(scores.get(key) ?? 0, draw(2) ? possible : draw(possible + 1)));
    }
  }

  function newSubsection(): Subsection {
    const cohort = 2 + draw(20);
    const isOpen = draw(3) === 0;
    return {
      key: `block-v1:Uni+C1+2026+type@sequential+block@s${number++}`,
      type: TYPES[draw(2)] ?? "",
      possible: 1 + draw(50),
      seenBy: isOpen ? () => true : draw(2) ? () => false : (id) => id % cohort === 0,
    };
  }

  function noteTruth(): void {
    for (const [id, { scores }] of course?.members ?? []) {
      for (const type of TYPES) {
        const own = course?.subsections.filter((one) => one.type === type) ?? [];
        const possible = own.reduce((sum, one) => sum + one.possible, 0);
        const earned = own.reduce((sum, { key }) => sum + (scores.get(key) ?? 0), 0);
        const key = `${academy.users.get(id)?.username} ${type.toLowerCase()}`;
        known.set(key, Math.max(known.get(key) ?? 0, possible > 0 ? earned / possible : 0));
      }
    }
  }
});

async function sharesHere(): Promise<{ username: string; type: string; share: number }[]> {
  const { rows } = await bench.database.knex.raw(
    `select username, assignment_type as type, (sum(earned) / sum(possible))::float8 as share
     from subsection_grades where not is_deleted group by 1, 2 having sum(possible) > 0`,
  );
  return rows;
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "Canvas: nobody attains more here than in Canvas's own numbers (%i)",
  async (seed) => {
    const draw = createChance(seed);
    const site = createSite({ courses: 1, learners: 0 });
    const course = [...site.courses.values()][0] as SiteCourse;
    for (let number = 1; number <= 40; number++) enrolIn(course, addSiteUser(site, number).id, draw);
    compute(course);
    lms = await startFakeCanvas(site);
    bench = await openBench(lms.url, { type: "canvas", parts: true, completion: true });
    const largest: Shares = new Map();
    const seen = { withheld: 0, totals: 0, groups: 0 };

    for (let round = 0; round < 14; round++) {
      for (let edit = 0; edit < 4; edit++) change();
      // Canvas computes totals some time after a change.
      if (draw(4) > 0) compute(course);
      const now = truth();
      for (const [key, share] of now) largest.set(key, Math.max(largest.get(key) ?? 0, share));
      const isFaulty = round % 3 === 2;
      lms.fault = (_, count) => (isFaulty && count % 5 === draw(5) ? { status: 404, body: {} } : undefined);
      const { state, withheld } = await bench.sweep({ acceptsWithdrawals: true });
      seen.withheld += withheld.length;
      for (const { username, usage, share } of await activeShares()) {
        const key = `${username} ${usage}`;
        const bound = (state === "complete" ? now : largest).get(key) ?? 0;
        expect(share, key).toBeLessThanOrEqual(bound + 1e-6);
        if (usage === "course-total") seen.totals++;
        else seen.groups++;
        if (state === "complete" && usage === "course-total") expect(share, key).toBeCloseTo(bound, 6);
      }
      if (state === "complete") {
        const active = learnersOf(course).filter((id) => isActiveIn(course, id));
        const names = active.map((id) => site.users.get(id)?.login).sort();
        const here = await bench.database.knex("enrollments").where({ is_active: true }).pluck("username");
        expect(here.sort()).toEqual(names);
      }
    }
    expect(Object.values(seen).map((count) => count > 0)).toEqual([true, true, true]);

    function truth(): Shares {
      const shares: Shares = new Map();
      for (const id of learnersOf(course)) {
        const name = site.users.get(id)?.login ?? "";
        shares.set(`${name} course-total`, Math.min(100, Math.max(0, shownTotal(course, id) ?? 0)) / 100);
        for (const group of course.groups) {
          const { earned, possible } = groupPoints(course, id, group);
          shares.set(
            `${name} assignment-group-${group.id}`,
            possible > 0 ? Math.min(1, earned / possible) : 0,
          );
        }
      }
      return shares;
    }

    function change(): void {
      const { assignments, groups, submissions } = course;
      const one = assignments[draw(Math.max(1, assignments.length))];
      const group = groups[draw(groups.length)];
      switch (draw(10)) {
        case 0:
          if (assignments.length < 12) assignments.push(newAssignment());
          break;
        case 1:
          if (one) one.isPublished = !one.isPublished;
          break;
        case 2:
          if (one) one.section = draw(2) ? undefined : `${1 + draw(3)}`;
          break;
        case 3:
          if (assignments.length > 3) assignments.splice(draw(assignments.length), 1);
          break;
        case 4:
          if (group) Object.assign(group, { lowest: draw(3), highest: draw(2), weight: draw(4) * 25 });
          if (group && one) group.never = draw(2) ? [one.id] : [];
          break;
        case 5:
          course.isWeighted = !course.isWeighted;
          break;
        case 6:
          course.unexplained = draw(3) === 0 ? -2.5 : 0;
          break;
        case 7:
          if (group) group.name = ["Homework", "Exams", "homework ", "Quizzes"][draw(4)] ?? "";
          break;
        case 8: {
          const row = course.enrolments[draw(course.enrolments.length)];
          if (row) row.state = (["active", "completed", "inactive", "invited"] as const)[draw(4)] ?? "active";
          if (row) course.overrides.set(row.userId, draw(101));
          break;
        }
        default:
          enrolIn(course, addSiteUser(site, 100 + site.users.size).id, draw);
      }
      for (const id of learnersOf(course)) {
        for (const { id: assignment, possible } of assignments) {
          const more = { isPosted: draw(4) > 0, isExcused: draw(6) === 0 };
          const score = draw(5) === 0 ? null : draw((possible ?? 4) * 2 + 2) / 2;
          if (draw(8) === 0) submissions.set(`${id} ${assignment}`, grade(score, more));
        }
      }
    }

    function newAssignment(): SiteAssignment {
      return {
        id: String(5000 + draw(1_000_000)),
        groupId: course.groups[draw(course.groups.length)]?.id ?? "",
        possible: draw(6) === 0 ? null : draw(40),
        isPublished: draw(3) > 0,
        isOmitted: draw(5) === 0,
        isGraded: draw(6) > 0,
        section: draw(3) > 0 ? undefined : `${1 + draw(3)}`,
      };
    }
  },
);

/** Returns the shares of learners to whom a credential can be issued. */
async function activeShares(): Promise<{ username: string; usage: string; share: number }[]> {
  const { rows } = await bench.database.knex.raw(
    `select username, usage_key as usage, (earned / possible)::float8 as share
     from subsection_grades grade join enrollments enrolled using (username)
     where not grade.is_deleted and possible > 0 and enrolled.is_active
       and enrolled.learning_context_key = grade.course_key`,
  );
  return rows;
}
