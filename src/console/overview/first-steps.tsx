import { CodeLine } from "../components/code-line.js";
import { useWords } from "../i18n/words.js";

/** What to do before there is anything to see. */
export function FirstSteps({ hasConfiguration }: { readonly hasConfiguration: boolean }) {
  const { overview: words } = useWords();
  const steps: readonly (readonly [text: string, command: string, isDone: boolean])[] = [
    [words.stepRecords, "learning-credentials import records.jsonl", false],
    [words.stepConfigure, "learning-credentials preview 1 -o preview.pdf", hasConfiguration],
    [words.stepIssue, "learning-credentials run 1 --dry-run", false],
  ];
  return (
    <section className="card padded stack">
      <h2>{words.firstSteps}</h2>
      <ol className="steps">
        {steps.map(([text, command, isDone]) => (
          <li key={text} data-done={isDone}>
            <p>{text}</p>
            <CodeLine text={command} />
          </li>
        ))}
      </ol>
    </section>
  );
}
