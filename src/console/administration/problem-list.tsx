import { useChapter } from "../i18n/chapter.js";

/** What could not be read, or is not known yet, by course. */
interface Problem {
  /** Empty: it is about the platform as a whole. */
  readonly learningContextKey: string;
  /** In English. */
  readonly problem: string;
  readonly isWithheld?: boolean;
}

/** Says what was not read, and why; nothing if all was. */
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
