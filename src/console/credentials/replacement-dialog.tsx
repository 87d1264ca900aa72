import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../components/button.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { Failure } from "../components/failure.js";
import { MATCHES_NOTHING, useMissing } from "../components/missing-field.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useWords } from "../i18n/words.js";
import type { CredentialDialogProps } from "./invalidate-dialog.js";
import { ReplacementChoice } from "./replacement-choice.js";
import { replacementQuery, unfitReason } from "./replacements.js";

const MAX_REPLACEMENTS = 20;

/** Links a withdrawn credential to the credential that was issued in its place. */
export function ReplacementDialog({ credential, onClose }: CredentialDialogProps) {
  const { credentials } = useWords();
  const words = useChapter("replacement");
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<Credential>();
  const found = useQuery(
    CredentialService.method.searchCredentials,
    { ...replacementQuery(query, credential), pageSize: MAX_REPLACEMENTS },
    { placeholderData: keepPreviousData },
  );
  const link = useChange(CredentialService.method.linkReplacement, onClose);
  const rows = (found.data?.credentials ?? []).filter(({ uuid }) => query !== "" || uuid !== credential.uuid);
  return (
    <Dialog title={credentials.linkReplacement} isAlert onClose={onClose}>
      <p className="lead">
        <bdi>{credential.userFullName}</bdi> · <bdi>{credential.learningContextName}</bdi>
      </p>
      <p>{words.means}</p>
      <Search
        isMissing={!chosen}
        onSearch={(text) => {
          setQuery(text);
          setChosen(undefined);
        }}
      />
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {rows.length > 0 && (
        <ReplacementChoice
          rows={rows}
          chosen={chosen}
          whyNot={(row) => {
            const reason = unfitReason(row, credential);
            return reason && words.unfit[reason];
          }}
          onChoose={setChosen}
        />
      )}
      {found.data && rows.length === 0 && (
        <div role="status">
          <p>{query === "" ? words.none : credentials.noneFound}</p>
          {query === "" && <p className="small faint">{words.noneMeans}</p>}
        </div>
      )}
      {chosen && (
        <section className="notice">
          <h3 className="notice-heading">{words.wouldHappen}</h3>
          <ul>
            <li>{words.oldPage}</li>
            <li>{words.newPage}</li>
          </ul>
        </section>
      )}
      <DialogEnd
        change={link}
        request={chosen && { uuid: credential.uuid, replacementUuid: chosen.uuid }}
        label={words.link}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** @param isMissing whether no credential is selected */
function Search({
  isMissing,
  onSearch,
}: {
  readonly isMissing: boolean;
  readonly onSearch: (text: string) => void;
}) {
  const { shell } = useWords();
  const words = useChapter("replacement");
  const id = useId();
  const [text, setText] = useState("");
  const { fault, onInvalid } = useMissing(isMissing, "emptyChoice");
  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch(text.trim());
  }
  return (
    <search>
      <form className="field" noValidate onSubmit={submit}>
        <label htmlFor={id}>{words.search}</label>
        <div className="filter-line">
          <input
            id={id}
            type="search"
            autoComplete="off"
            spellCheck={false}
            value={text}
            aria-describedby={fault ? `${id}-help ${id}-fault` : `${id}-help`}
            aria-invalid={fault ? true : undefined}
            required={isMissing}
            pattern={isMissing ? MATCHES_NOTHING : undefined}
            onInvalid={onInvalid}
            onChange={(event) => setText(event.currentTarget.value)}
            onPaste={(event) => {
              // Text pasted into the empty field is searched for immediately.
              const pasted = event.clipboardData.getData("text").trim();
              if (text === "" && pasted !== "") onSearch(pasted);
            }}
          />
          <Button type="submit">{shell.search}</Button>
        </div>
        <p id={`${id}-help`} className="small faint">
          {words.searchHelp}
        </p>
        {fault && <div id={`${id}-fault`}>{fault}</div>}
      </form>
    </search>
  );
}
