import { afterEach, expect, test } from "vitest";
import { addUser, createAcademy, createChance, type Subsection } from "./academy.js";
import { type Bench, openBench } from "./bench.js";
import { type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";

/*
 * Issuing from a part of the facts is the worst thing that a connector could cause. So courses change at random, and
 * the platform fails at random: nobody ever has a larger share of the points here than the platform has ever known.
 */

const COURSE = "course-v1:Uni+C1+2026";
const TYPES = ["Homework", "Exam"];

let lms: FakeOpenEdx;
let bench: Bench;

afterEach(async () => {
  await bench.close();
  await lms.close();
});

/** The largest shares of points that the platform has known, by `learner type`. */
type Shares = Map<string, number>;

test.each([1, 2, 3, 4])("nobody attains more here than on the platform (%i)", async (seed) => {
  const draw = createChance(seed);
  const academy = createAcademy({ courses: 1, learners: 0, paths: 0 });
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
      case 0: // a new subsection: of all, of a cohort, or not released yet
      case 1:
        subsections.push(newSubsection());
        break;
      case 2: // a release
        course.subsections = subsections.map((one) => (draw(2) ? { ...one, seenBy: () => true } : one));
        break;
      case 3: // a deletion
        if (subsections.length > 3) subsections.splice(draw(subsections.length), 1);
        break;
      case 4: // the policy demands more
        course.policy = TYPES.map((type) => ({ type, weight: 0.5, dropCount: draw(2), minCount: draw(4) }));
        break;
      default: {
        // a late account
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
