import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { MAX_CREDENTIALS } from "#foundation/limits.js";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService, EmailKind } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { AsCode } from "../components/as-code.js";
import { Button } from "../components/button.js";
import { CountConfirmation } from "../components/count-confirmation.js";
import { Dialog } from "../components/dialog.js";
import { DoneDialog } from "../components/done-dialog.js";
import { Failure } from "../components/failure.js";
import { isFilledIn } from "../components/missing-field.js";
import { usePaused } from "../components/use-paused.js";
import { EmailChoice } from "../emails/email-choice.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { useHasStacks } from "../requirements/use-has-stacks.js";
import type { CredentialSearch } from "./credential-search.js";
import { findAll } from "./find-all.js";
import { ReasonField } from "./reason-field.js";

interface Plan {
  readonly uuids: readonly string[];
  readonly credentials: readonly Credential[];
  readonly count: number;
  readonly planHash: string;
  readonly refused: readonly { readonly uuid: string; readonly username: string; readonly reason: string }[];
}

/** A placeholder, because the plan doesn't depend on the reason. */
const PLACEHOLDER_REASON = "-";

interface BulkProps {
  readonly action: "invalidate" | "reissue";
  readonly search: CredentialSearch;
  /** undefined to select all results of the search. */
  readonly chosen: ReadonlyMap<string, Credential> | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Invalidates or reissues many credentials. Shows the plan first, and then carries out exactly that plan. */
export function BulkDialog({ action, search, chosen, onClose, onDone }: BulkProps) {
  const { credentials: words } = useWords();
  const trees = useChapter("trees");
  const hasStacks = useHasStacks();
  const isInvalidating = action === "invalidate";
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const [isSent, setIsSent] = useState(true);
  const method = isInvalidating
    ? CredentialService.method.invalidateCredentials
    : CredentialService.method.reissueCredentials;
  const plan = useBulkPlan(action, search, chosen);
  const carryOut = useBulkChange(action, { reason: reason.trim(), skipEmail: !isSent });
  const pausedReason = usePaused(reason.trim());
  const hasChanged = carryOut.error && ConnectError.from(carryOut.error).code === Code.Aborted;
  const { data } = plan;

  // The selection is cleared only when the dialog closes, because clearing it earlier would change the plan.
  function close() {
    onDone();
    onClose();
  }
  const title = isInvalidating ? words.invalidate : words.reissue;
  if (carryOut.isSuccess)
    return <BulkDone title={title} isInvalidating={isInvalidating} count={carryOut.data} onClose={close} />;
  return (
    <Dialog title={title} isAlert onClose={onClose}>
      {plan.isPending && <p role="status">{words.planning}</p>}
      {plan.error && <Failure error={plan.error} onRetry={() => void plan.refetch()} />}
      {data && (
        <>
          <PlanSummary
            plan={data}
            isInvalidating={isInvalidating}
            isCut={!chosen && data.uuids.length === MAX_CREDENTIALS}
            note={isInvalidating && hasStacks ? trees.manyKeep : undefined}
          />
          <ReasonField reason={reason} onChange={setReason} />
          <AffectedEmail
            isInvalidating={isInvalidating}
            plan={data}
            reason={pausedReason}
            isSent={isSent}
            onChoose={setIsSent}
          />
          <CountConfirmation count={data.count} typed={typed} onType={setTyped} />
          {hasChanged && (
            <PlanChangedNotice
              onPlanAgain={() => {
                carryOut.reset();
                setTyped("");
                void plan.refetch();
              }}
            />
          )}
          {carryOut.error && !hasChanged && <Failure error={carryOut.error} />}
          <AsCode
            method={method}
            request={{
              filter: { uuids: [...data.uuids] },
              reason,
              planHash: data.planHash,
              skipEmail: !isSent,
            }}
          />
          <BulkButtons
            isInvalidating={isInvalidating}
            count={data.count}
            isPending={carryOut.isPending}
            onCarryOut={() => carryOut.mutate(data)}
            onClose={onClose}
          />
        </>
      )}
    </Dialog>
  );
}

function BulkDone({
  title,
  isInvalidating,
  count,
  onClose,
}: {
  readonly title: string;
  readonly isInvalidating: boolean;
  readonly count: number;
  readonly onClose: () => void;
}) {
  const { credentials: words } = useWords();
  const outcome = isInvalidating ? words.invalidated({ count }) : words.reissued({ count });
  return <DoneDialog title={title} outcome={outcome} onClose={onClose} />;
}

/** Asks whether to email the learners, and previews the email to one of them. */
function AffectedEmail({
  isInvalidating,
  plan,
  reason,
  isSent,
  onChoose,
}: {
  readonly isInvalidating: boolean;
  readonly plan: Plan;
  readonly reason: string;
  readonly isSent: boolean;
  readonly onChoose: (isSent: boolean) => void;
}) {
  const emails = useChapter("emails");
  return (
    <EmailChoice
      help={
        isInvalidating
          ? emails.withdrawalEmail({ count: plan.count })
          : emails.reissueEmail({ count: plan.count })
      }
      isSent={isSent}
      onChoose={onChoose}
      preview={{
        kind: isInvalidating ? EmailKind.WITHDRAWAL : EmailKind.AVAILABLE,
        credentialUuid: plan.credentials.find(isAffected)?.uuid ?? "",
        reason,
      }}
    />
  );
}

function BulkButtons({
  isInvalidating,
  count,
  isPending,
  onCarryOut,
  onClose,
}: {
  readonly isInvalidating: boolean;
  readonly count: number;
  readonly isPending: boolean;
  readonly onCarryOut: () => void;
  readonly onClose: () => void;
}) {
  const { credentials: words, parts } = useWords();
  const actions = useRef<HTMLDivElement>(null);
  return (
    <div className="dialog-actions" ref={actions}>
      <Button onPress={onClose}>{parts.cancel}</Button>
      <Button
        variant={isInvalidating ? "danger" : "primary"}
        isDisabled={count === 0 || isPending}
        onPress={() => isFilledIn(actions.current) && onCarryOut()}
      >
        {isInvalidating ? words.invalidateCount({ count }) : words.reissueCount({ count })}
      </Button>
    </div>
  );
}

function useBulkPlan(action: BulkProps["action"], search: CredentialSearch, chosen: BulkProps["chosen"]) {
  const transport = useTransport();
  const service = createClient(CredentialService, transport);
  async function everyCredential(): Promise<Credential[]> {
    const found: Credential[] = [];
    for await (const page of findAll(transport, search, MAX_CREDENTIALS)) found.push(...page);
    return found;
  }
  return useQuery({
    queryKey: ["plan", action, search, chosen && [...chosen.keys()]],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async (): Promise<Plan> => {
      const credentials = chosen ? [...chosen.values()] : await everyCredential();
      const uuids = credentials.map(({ uuid }) => uuid);
      const change = { filter: { uuids }, reason: PLACEHOLDER_REASON, dryRun: true };
      if (action === "reissue") return { uuids, credentials, ...(await service.reissueCredentials(change)) };
      return { uuids, credentials, refused: [], ...(await service.invalidateCredentials(change)) };
    },
  });
}

function useBulkChange(
  action: BulkProps["action"],
  settings: { readonly reason: string; readonly skipEmail: boolean },
) {
  const client = useQueryClient();
  const service = createClient(CredentialService, useTransport());
  return useMutation({
    mutationFn: async ({ uuids, planHash }: Plan) => {
      const change = { ...settings, filter: { uuids: [...uuids] }, planHash };
      const { count } =
        action === "invalidate"
          ? await service.invalidateCredentials(change)
          : await service.reissueCredentials(change);
      return count;
    },
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "plan" }),
  });
}

function PlanChangedNotice({ onPlanAgain }: { readonly onPlanAgain: () => void }) {
  const { credentials: words } = useWords();
  return (
    <div role="alert" className="notice notice-warn">
      <p>{words.planChanged}</p>
      <Button onPress={onPlanAgain}>{words.planAgain}</Button>
    </div>
  );
}

function PlanSummary({
  plan,
  isInvalidating,
  isCut,
  note,
}: {
  readonly plan: Plan;
  readonly isInvalidating: boolean;
  /** Whether the search has more results than can be changed at once. */
  readonly isCut: boolean;
  readonly note: string | undefined;
}) {
  const { credentials: words } = useWords();
  const { colon } = useFormats();
  return (
    <>
      <p className="lead">
        {isInvalidating
          ? words.wouldInvalidate({ count: plan.count })
          : words.wouldReissue({ count: plan.count })}
      </p>
      <AffectedNames credentials={plan.credentials} />
      {note && <p>{note}</p>}
      {plan.uuids.length > plan.count + plan.refused.length && (
        <p>{words.skippedCount({ count: plan.uuids.length - plan.count - plan.refused.length })}</p>
      )}
      {isCut && <p className="notice notice-warn">{words.atMost({ count: MAX_CREDENTIALS })}</p>}
      {plan.refused.length > 0 && (
        <details open>
          <summary>{words.refused({ count: plan.refused.length })}</summary>
          <ul className="plain-list">
            {plan.refused.map((each) => (
              <li key={each.uuid}>
                <bdi>{each.username}</bdi>
                {colon}
                <span lang="en">{each.reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function isAffected({ status }: Credential): boolean {
  return status === CredentialStatus.AVAILABLE;
}

/** Number of names in the collapsed list. When expanded, the list shows at most `MAX_NAMES`. */
const COLLAPSED_NAMES = 5;
const MAX_NAMES = 200;

/** Lists the names on the affected credentials. Skips credentials that are not valid. */
function AffectedNames({ credentials }: { readonly credentials: readonly Credential[] }) {
  const words = useChapter("emails");
  const affected = credentials.filter(isAffected);
  const more = affected.length - COLLAPSED_NAMES;
  const line = ({ uuid, userFullName, username, learningContextName }: Credential) => (
    <li key={uuid}>
      <bdi>{userFullName || username}</bdi> · <bdi>{learningContextName}</bdi>
    </li>
  );
  if (affected.length === 0) return null;
  return (
    <>
      <ul className="plain-list">
        {affected.slice(0, more === 1 ? COLLAPSED_NAMES + 1 : COLLAPSED_NAMES).map(line)}
      </ul>
      {more > 1 && (
        <details>
          <summary>{words.andMore({ count: more })}</summary>
          <ul className="plain-list">{affected.slice(COLLAPSED_NAMES, MAX_NAMES).map(line)}</ul>
        </details>
      )}
    </>
  );
}
