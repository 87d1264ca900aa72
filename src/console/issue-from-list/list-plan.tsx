import { useMemo, useState } from "react";
import type { Table } from "#foundation/text/tables/table.js";
import { CSV_TYPE, usualDelimiter } from "#foundation/text/tables/write-csv.js";
import { CredentialService, EmailKind } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { AsCode } from "../components/as-code.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { CheckField } from "../components/fields.js";
import { lazily } from "../components/lazily.js";
import { saveFile } from "../components/save-file.js";
import { useCaller } from "../components/use-may.js";
import { language } from "../i18n/preferences.js";
import { useChapter, useWords } from "../i18n/words.js";
import { PlanChanged, PlanWarnings } from "../runs/plan-view.js";
import { Samples } from "../runs/samples.js";
import { StartButton } from "../runs/start-button.js";
import { usePlannedRun } from "../runs/use-planned-run.js";
import { useStore } from "../service/store.js";
import type { GuessedColumns } from "./guess-columns.js";
import { issueCommands } from "./issue-commands.js";
import { type JudgedRow, judgeRows, requestFor, requestForPlanned } from "./judged-rows.js";
import { ListJudgement } from "./list-judgement.js";
import type { List } from "./listed-learners.js";
import { useOutcomeWords } from "./outcome-words.js";
import { writeRejects } from "./rejects.js";
import type { Choices } from "./uploaded-list.js";

const EmailChoice = lazily(() => import("../emails/email-choice.js"), "EmailChoice");

/** Lets the service check a list, and then issues credentials to the learners who are ready. */
export function ListPlan({
  configurationId,
  table,
  columns,
  list,
  choices,
  onChoose,
  onStarted,
}: {
  readonly configurationId: number;
  readonly table: Table;
  readonly columns: GuessedColumns;
  readonly list: List;
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
  readonly onStarted: () => void;
}) {
  const issuing = useChapter("issuing");
  const words = issuing.list;
  const { skipsCheck: skipEligibilityCheck = false, addsLearners = false } = choices;

  const [isSent, setIsSent] = useState(true);
  const requested = useMemo(() => requestFor(list, addsLearners), [list, addsLearners]);
  const request = { configurationId, skipEligibilityCheck, ...requested.request };
  const { plan, error, refetch, changes, ...run } = usePlannedRun(request, {
    isEnabled: requested.requested.length > 0,
    skipEmail: !isSent,
    requestToStart: (planned) => ({ ...request, ...requestForPlanned(requested, planned.listedLearners) }),
    onStarted,
  });
  const rows = useMemo(() => {
    if (requested.requested.length === 0) return judgeRows(list, requested, []);
    return plan && judgeRows(list, requested, plan.listedLearners);
  }, [list, requested, plan]);

  const rejects = useRejects(rows ?? [], table, columns);
  return (
    <>
      <ListOptions
        hasNames={list.learners.some(({ fullName }) => fullName !== "")}
        choices={choices}
        onChoose={onChoose}
      />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <p role="status" className={rows ? "away-from-view" : ""}>
        {rows ? words.judged : error ? "" : words.judging}
      </p>
      {changes && <PlanChanged changes={changes} />}
      {run.startError && <Failure error={run.startError} />}
      {plan && <PlanWarnings warnings={plan.explainedWarnings} />}
      {rows && <ListJudgement rows={rows} />}
      {plan && plan.issueCount > 0 && <Samples configurationId={configurationId} plan={plan} />}
      {plan && plan.issueCount > 0 && (
        <EmailChoice
          help={issuing.plan.emailMeans}
          isSent={isSent}
          onChoose={setIsSent}
          preview={{ kind: EmailKind.AVAILABLE, configurationId }}
        />
      )}
      {rows && (
        <div className="actions">
          {plan && plan.issueCount > 0 ? <StartButton run={run} plan={plan} /> : <p>{words.nobodyReady}</p>}
          {rejects.count > 0 && (
            <Button onPress={rejects.save}>{words.rejects({ count: rejects.count })}</Button>
          )}
        </div>
      )}
      {plan && plan.issueCount > 0 && (
        <AsCode
          method={CredentialService.method.startIssuanceRun}
          request={run.startRequest(plan)}
          commands={issueCommands(rows ?? [], configurationId, { skipEligibilityCheck, skipEmail: !isSent })}
        />
      )}
    </>
  );
}

/** Returns the number of learners who are not ready, and a function that saves their rows, with the reasons. */
function useRejects(rows: readonly JudgedRow[], table: Table, columns: GuessedColumns) {
  const words = useChapter("issuing").list;
  const { credentials } = useWords();
  const outcomeWords = useOutcomeWords();
  const tag = useStore(language);
  const rejects = rows.filter(({ outcome }) => outcome.kind !== "ready");
  function save() {
    const reasons = rejects.map(({ learner, outcome, detail }) => ({
      row: learner.row,
      reason: detail ? `${outcomeWords.row(outcome)} ${detail}` : outcomeWords.row(outcome),
    }));
    const headings = { row: words.row, reason: credentials.reason };
    const text = writeRejects(table, columns, reasons, headings, usualDelimiter(tag));
    saveFile(`${words.rejectsFile}.csv`, new Blob([text], { type: CSV_TYPE }));
  }
  return { count: rejects.length, save };
}

function ListOptions({
  hasNames,
  choices: { skipsCheck = false, addsLearners = false },
  onChoose,
}: {
  readonly hasNames: boolean;
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
}) {
  const words = useChapter("issuing").list;
  const caller = useCaller().data;
  return (
    <section className="options">
      <CheckField
        label={words.skipCheck}
        help={words.skipCheckMeans}
        checked={skipsCheck}
        onChoose={(isChosen) => onChoose({ skipsCheck: isChosen })}
      />
      {hasNames && !caller?.isBounded && (
        <CheckField
          label={words.addLearners}
          help={words.addLearnersMeans}
          checked={addsLearners}
          onChoose={(isChosen) => onChoose({ addsLearners: isChosen })}
        />
      )}
    </section>
  );
}
