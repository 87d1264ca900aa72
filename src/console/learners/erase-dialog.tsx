import { useMutation, useQuery } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  type EraseLearnerResponse,
  LearnerRecordService,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { DoneDialog } from "../components/done-dialog.js";
import { Fact } from "../components/fact.js";
import { Failure } from "../components/failure.js";
import { TextField } from "../components/fields.js";
import { PageTitle } from "../components/page-title.js";
import { useFormats, useWords } from "../i18n/words.js";
import { matchesUsername } from "./matches-username.js";

const method = LearnerRecordService.method.eraseLearner;

/** Erases a learner. Shows what will be deleted and what will be kept, and asks for the username. */
export function EraseDialog({
  username,
  onErased,
  onClose,
}: {
  readonly username: string;
  readonly onErased: (receipt: EraseLearnerResponse) => void;
  readonly onClose: () => void;
}) {
  const { learners: words } = useWords();
  const [typed, setTyped] = useState("");
  const plan = useQuery(
    method,
    { username, dryRun: true },
    { gcTime: 0, staleTime: Number.POSITIVE_INFINITY },
  );
  const erase = useMutation(method, { onSuccess: onErased });

  return (
    <Dialog title={words.eraseTitle} isAlert onClose={onClose}>
      <p className="lead">
        <bdi>{username}</bdi>
      </p>
      {plan.error && <Failure error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && (
        <>
          <p>{words.wouldErase}</p>
          <Counts of={plan.data} />
          <p>{words.erasedStays}</p>
          <p className="notice notice-bad">{words.eraseMeans}</p>
          <TextField
            label={words.typeUsername({ username })}
            value={typed}
            wrong={matchesUsername(typed, username) ? undefined : words.typeUsername({ username })}
            spellCheck={false}
            onType={setTyped}
          />
        </>
      )}
      <DialogEnd
        change={{ ...erase, method }}
        request={{ username }}
        isReady={plan.data !== undefined}
        label={words.eraseNow}
        variant="danger"
        commands={[["erase", "--", username]]}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** Replaces the page of a learner who was erased. Contains no personal data. */
export function ErasedReceipt({ of }: { readonly of: EraseLearnerResponse }) {
  const { learners: words, shell } = useWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  async function leave() {
    // Neither the URL nor the cache may contain data of the learner.
    await navigate({ to: "/learners", replace: true });
    client.clear();
  }
  return (
    <section className="page">
      <PageTitle title={shell.learners} />
      <DoneDialog title={words.erased} outcome={<Counts of={of} />} onClose={() => void leave()}>
        <p>{words.erasedStays}</p>
      </DoneDialog>
    </section>
  );
}

function Counts({ of }: { readonly of: EraseLearnerResponse }) {
  const { learners: words } = useWords();
  const { number } = useFormats();
  const counts: readonly (readonly [label: string, count: number])[] = [
    [words.erasedRecords, of.records],
    [words.erasedCredentials, of.credentials],
    [words.erasedFiles, of.files],
    [words.erasedActorEntries, of.actorEntries],
  ];
  return (
    <dl className="counts">
      {counts.map(([label, count]) => (
        <Fact key={label} label={label}>
          {number(count)}
        </Fact>
      ))}
    </dl>
  );
}
