import { useWords } from "../i18n/words.js";
import { CodeLine } from "./code-line.js";

/** How records come to the service, where a list waits for them. */
export function RecordsStep() {
  const { overview } = useWords();
  return (
    <>
      <p>{overview.stepRecords}</p>
      <CodeLine text="learning-credentials import records.jsonl" />
    </>
  );
}
