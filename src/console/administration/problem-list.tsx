import { useChapter } from "../i18n/chapter.js";

/** Data about a course that could not be read, or is not known yet. */
interface Problem {
  /** Empty if the problem concerns the whole platform. */
  readonly learningContextKey: string;
  /** In English. */
  readonly problem: string;
  readonly isWithheld?: boolean;
}

/** Lists which data could not be read, and why; shows nothing if there is none. */
export function ProblemList({ of }: { readonly of: readonly Problem[] }) {
  const { connections: words } = useChapter("administration");
  if (of.length === 0) return null;
  return (
    <>
      <h4>{words.problems}</h4>
      <ul className="problem-list">
        {of.map(({ learningContextKey, problem, isWithheld }) => (
          <li key={`${learningContextKey} ${problem}`}>
            <bdi>{learningContextKey || words.whole}</bdi>
            {isWithheld && ` (${words.withheld})`}:{" "}
            <span lang="en" dir="ltr">
              {problem}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
