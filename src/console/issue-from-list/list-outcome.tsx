import { useMemo } from "react";
import { language } from "../i18n/preferences.js";
import { useStore } from "../service/store.js";
import { useFaultWords } from "./fault-words.js";
import { ListPlan } from "./list-plan.js";
import { ListReading } from "./list-reading.js";
import { readList } from "./read-list.js";
import type { Choices, UploadedList } from "./uploaded-list.js";

/** The contents of a list, and the outcome of issuing to its learners. */
export function ListOutcome({
  uploaded,
  configurationId,
  onChoose,
  onStarted,
}: {
  readonly uploaded: UploadedList;
  readonly configurationId: number | undefined;
  readonly onChoose: (choices: Choices) => void;
  readonly onStarted: () => void;
}) {
  const tag = useStore(language);
  const faultWords = useFaultWords();
  const { source, choices } = uploaded;
  const { skipsCheck: _, addsLearners: __, ...readChoices } = choices;
  const readKey = JSON.stringify(readChoices);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other choices don't affect reading
  const read = useMemo(() => readList({ source, choices }, tag), [source, readKey, tag]);
  const { table, columns, list, fault, sheets, encoding, readings } = read;
  return (
    <>
      {fault && (
        <p role="alert" className="notice notice-bad">
          {faultWords(fault)}
        </p>
      )}
      {(sheets || encoding || readings || (table && columns)) && (
        <ListReading read={read} choices={choices} onChoose={onChoose} />
      )}
      {configurationId !== undefined && table && columns && list && (
        <ListPlan
          key={configurationId}
          configurationId={configurationId}
          table={table}
          columns={columns}
          list={list}
          choices={choices}
          onChoose={onChoose}
          onStarted={onStarted}
        />
      )}
    </>
  );
}
