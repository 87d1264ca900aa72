import { type Academy, type Attained, attainedIn, contextOf, type Learner } from "./academy.js";
import { exact, millionths, times } from "./exact.js";

/** A requirement tree in the form in which options contain it. */
export type Tree =
  | { readonly all: readonly Tree[] }
  | { readonly any: readonly Tree[] }
  | { readonly at_least: number; readonly of: readonly Tree[] }
  | ResultLeaf
  | HoldsLeaf;

type ResultLeaf = Where &
  (
    | { readonly grade: { readonly [name: string]: number }; readonly use_platform_total?: boolean }
    | { readonly completion: number }
    | { readonly passed: true }
    | { readonly letter: string }
  );

interface Where {
  readonly course?: string;
  readonly runs?: readonly string[];
}

type HoldsLeaf = Where & {
  readonly holds: { readonly credential_type_id: number } | { readonly configuration_id: number };
  readonly anywhere?: boolean;
};

/** A credential of a learner. */
export interface Possession {
  readonly username: string;
  readonly configurationId: number;
  readonly typeId: number;
  readonly contextKey: string;
  readonly state: "generating" | "available" | "error" | "invalidated" | "expired" | "renewed";
}

/** Repeats the rules of requirement trees, part by part, in rational numbers. */
export function isEligibleByTree(
  academy: Academy,
  learner: Learner,
  tree: Tree,
  requiredSteps: number | undefined,
  possessions: readonly Possession[],
): boolean {
  const context = contextOf(academy);
  const enrolment = academy.path ? learner.inPath : learner.in[context]?.enrollment;
  if (learner.record !== "kept" || enrolment !== "active") return false;
  const held = possessions.filter(
    ({ username, state }) => username === learner.username && ["generating", "available"].includes(state),
  );
  return meets(tree);

  function meets(part: Tree): boolean {
    if ("all" in part) return part.all.every(meets);
    if ("any" in part) return part.any.some(meets);
    if ("at_least" in part) return part.of.filter(meets).length >= part.at_least;
    if ("holds" in part) return held.some((each) => isMeant(part, each));
    const named = part.runs ?? (part.course === undefined ? undefined : [part.course]);
    if (named) return named.some((key) => reaches(attainedIn(academy, learner, key), part));
    if (!academy.path) return reaches(attainedIn(academy, learner, context), part);
    const steps = academy.path.isWithdrawn ? [] : academy.path.steps;
    const reached = steps.filter((key) => reaches(attainedIn(academy, learner, key), part)).length;
    return reached >= (requiredSteps ?? Math.max(steps.length, 1));
  }

  function isMeant({ holds, course, runs, anywhere }: HoldsLeaf, possession: Possession): boolean {
    if ("configuration_id" in holds) return holds.configuration_id === possession.configurationId;
    const named = runs ?? [course ?? context];
    return (
      holds.credential_type_id === possession.typeId &&
      (anywhere === true || named.includes(possession.contextKey))
    );
  }
}

function reaches(attained: Attained, leaf: ResultLeaf): boolean {
  if ("completion" in leaf) return attained.completion >= millionths(exact(leaf.completion));
  if ("passed" in leaf) return attained.passed === true;
  if ("letter" in leaf) {
    const rank = attained.letterGrades.indexOf(attained.letter);
    const needed = attained.letterGrades.indexOf(leaf.letter);
    return attained.letter === leaf.letter || (rank >= 0 && rank <= needed);
  }
  return Object.entries(leaf.grade).every(([name, fraction]) => {
    const isTotal = name.toLowerCase() === "total";
    const total = leaf.use_platform_total ? attained.platformTotal : attained.total;
    const reached = isTotal ? total : attained.grades.get(name.toLowerCase());
    return reached !== undefined && reached >= millionths(times([100n, 1n], exact(fraction)));
  });
}
