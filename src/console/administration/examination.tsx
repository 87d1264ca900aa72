import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type DiagnosisResult,
  type FindingGroup,
  type Operation,
  OperationKind,
  RepairOutcome,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { Failure } from "../components/failure.js";
import { CheckField } from "../components/fields.js";
import { lazily } from "../components/lazily.js";
import { StateMark } from "../components/status.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { bad, warning } from "./looks.js";
import { isOpen, OperationLine, useOperation, useOperations } from "./operation.js";

const OperationDialog = lazily(() => import("./operation-dialog.js"), "OperationDialog");

const KINDS = [OperationKind.DIAGNOSIS, OperationKind.REPAIR];

/** Runs `doctor`, shows its results, and offers repairs. */
export function Examination() {
  const { examination: words, connections } = useChapter("administration");
  const { data, error } = useOperations(KINDS);
  const [withHashes, setWithHashes] = useState(false);
  const start = useChange(AdministrationService.method.startOperation);
  const latest = data?.operations[0];
  return (
    <>
      <h2>{connections.operations.DIAGNOSIS}</h2>
      <p className="intro">{words.means}</p>
      <CheckField
        label={words.withHashes}
        help={words.withHashesMeans}
        checked={withHashes}
        onChoose={setWithHashes}
      />
      <div className="actions">
        <Button
          variant="primary"
          isDisabled={start.isPending || (latest && isOpen(latest))}
          onPress={() => start.mutate({ kind: OperationKind.DIAGNOSIS, withHashes })}
        >
          {words.start}
        </Button>
      </div>
      {(start.error ?? error) && <Failure error={start.error ?? error} />}
      {latest && (
        <>
          <OperationLine
            operation={latest}
            label={textFor(connections.operations, OperationKind[latest.kind]) ?? ""}
          />
          <Outcome of={latest} />
        </>
      )}
    </>
  );
}

function Outcome({ of }: { readonly of: Operation }) {
  const { examination: words, english } = useChapter("administration");
  const [isRepairing, setRepairing] = useState(false);
  const { data, error } = useOperation(of);
  const result = data?.diagnosis;
  if (error) return <Failure error={error} />;
  if (!result) return null;
  const isRepair = of.kind === OperationKind.REPAIR;
  return (
    <>
      <p>{isRepair ? words.repaired({ number: result.repairedCount }) : lookedAt(result)}</p>
      {result.groups.length === 0 && !isRepair && <p className="notice notice-good">{words.nothing}</p>}
      {result.groups.length > 0 && <p className="small faint">{english}</p>}
      {result.groups.map((group) => (
        <Group key={group.kind} group={group} />
      ))}
      {result.repairableCount > 0 && (
        <div className="actions">
          <Button onPress={() => setRepairing(true)}>
            {words.repair({ number: result.repairableCount })}
          </Button>
        </div>
      )}
      {isRepairing && (
        <OperationDialog
          label={words.repair}
          means={words.repairMeans}
          count={result.repairableCount}
          request={{ kind: OperationKind.REPAIR, diagnosisId: of.id, planHash: result.planHash }}
          command={["doctor", "--repair"]}
          onClose={() => setRepairing(false)}
        />
      )}
    </>
  );

  function lookedAt({ credentialFileCount, storedFileCount, assetCount }: DiagnosisResult): string {
    return words.looked({ credentials: credentialFileCount, files: storedFileCount, assets: assetCount });
  }
}

function Group({
  group: { kind, title, remedy, isWarning, count, findings },
}: {
  readonly group: FindingGroup;
}) {
  const { examination: words } = useChapter("administration");
  const { number } = useFormats();
  const more = count - findings.length;
  return (
    <section className="card padded stack">
      <h3 lang="en" dir="ltr">
        {title} ({number(count)})
      </h3>
      <p>
        <StateMark {...(isWarning ? warning : bad)}>
          <code>{kind}</code>
        </StateMark>
        {isWarning && <span className="small"> {words.harmless}</span>}
      </p>
      <p lang="en" dir="ltr">
        {remedy}
      </p>
      <ul className="problem-list" lang="en" dir="ltr">
        {findings.map(({ credentialUuid, detail, outcome, problem }) => (
          <li key={`${credentialUuid} ${detail}`}>
            {credentialUuid !== "" && <code>{credentialUuid} </code>}
            {detail}
            {outcome === RepairOutcome.REPAIRED ? " (repaired)" : problem !== "" && ` (${problem})`}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="small faint">{words.more({ number: more })}</p>}
    </section>
  );
}
