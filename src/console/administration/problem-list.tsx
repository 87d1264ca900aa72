import { useChapter, useFormats } from "../i18n/words.js";

/** Data about a course that could not be read or is not available yet. */
interface Problem {
  /** Empty if the problem concerns the whole platform. */
  readonly learningContextKey: string;
  /** In English. */
  readonly problem: string;
  readonly isWithheld?: boolean;
}

export function ProblemList({ of }: { readonly of: readonly Problem[] }) {
  const { connections: words } = useChapter("administration");
  const { colon } = useFormats();
  if (of.length === 0) return null;
  return (
    <>
      <h4>{words.problems}</h4>
      <ul className="problem-list">
        {of.map(({ learningContextKey, problem, isWithheld }) => (
          <li key={`${learningContextKey} ${problem}`}>
            <bdi>{learningContextKey || words.whole}</bdi>
            {isWithheld && ` (${words.withheld})`}
            {colon}
            <span lang="en" dir="ltr">
              {problem}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
