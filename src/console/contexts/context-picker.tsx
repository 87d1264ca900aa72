import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { type Choice, Picker } from "../components/picker.js";
import { usePaused } from "../components/use-paused.js";
import { contextChoice } from "./context-choice.js";

const MAX_SUGGESTIONS = 50;

/** Returns whether a text looks like the key of a course or path. No platform needs to have reported it yet. */
const isKey = (text: string) => /^(?:course|path)-v1:.+\+/.test(text);

/** Selects a course or learning path by part of its name, or by its key. */
export function ContextPicker({
  label,
  help,
  autoFocus = false,
  required = false,
  chosen,
  onType,
  onChoose,
}: {
  readonly label: string;
  readonly help?: string;
  readonly autoFocus?: boolean;
  readonly required?: boolean;
  readonly chosen: Choice | undefined;
  readonly onType?: (text: string) => void;
  readonly onChoose: (choice: Choice) => void;
}) {
  const [typed, setTyped] = useState("");
  const query = usePaused(typed.trim());
  const contexts = useQuery(
    LearnerRecordService.method.listLearningContexts,
    { query, pageSize: MAX_SUGGESTIONS },
    { placeholderData: keepPreviousData },
  );
  const found = contexts.data?.contexts.map((each) =>
    contextChoice(each.learningContextKey, each.displayName),
  );
  const isUnknown = isKey(query) && !found?.some(({ key }) => key === query);
  return (
    <Picker
      label={label}
      {...(help !== undefined && { help })}
      autoFocus={autoFocus}
      required={required}
      choices={isUnknown ? [contextChoice(query, ""), ...(found ?? [])] : found}
      answered={contexts.isPlaceholderData ? "…" : query}
      chosen={chosen}
      onType={(text) => {
        setTyped(text);
        onType?.(text.trim());
      }}
      onChoose={onChoose}
    />
  );
}
