import { useMutation, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import type { DesigningWording } from "../languages/en/designing.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { useWords } from "../reader/words.js";

const { method } = ConfigurationService;
const SUGGESTED = 20;

/** Offers a type in a course or path, and goes on to what is different there. */
export function OfferDialog({
  typeId,
  words,
  onClose,
}: {
  readonly typeId: number;
  readonly words: DesigningWording;
  readonly onClose: () => void;
}) {
  const { parts } = useWords();
  const id = useId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const learningContextKey = typed.trim();
  const known = useQuery(
    LearnerRecordService.method.listLearningContexts,
    { query: learningContextKey, pageSize: SUGGESTED },
    { placeholderData: keepPreviousData },
  );
  const offer = useMutation(method.createCredentialConfiguration, {
    async onSuccess({ id: created }) {
      await navigate({ to: "/configurations/$id", params: { id: String(created) } });
      await client.invalidateQueries();
    },
  });
  const request = { credentialConfiguration: { credentialTypeId: typeId, learningContextKey } };
  return (
    <Dialog title={words.offer} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (learningContextKey !== "" && !offer.isPending) offer.mutate(request);
        }}
      >
        <div className="field">
          <label htmlFor={id}>{words.contextKey}</label>
          <p id={`${id}-help`} className="small faint">
            {words.contextKeyMeans}
          </p>
          <input
            id={id}
            dir="ltr"
            list={`${id}-known`}
            autoComplete="off"
            spellCheck={false}
            maxLength={255}
            value={typed}
            aria-describedby={`${id}-help`}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
          <datalist id={`${id}-known`}>
            {known.data?.contexts.map(({ learningContextKey: key, displayName }) => (
              <option key={key} value={key} label={displayName || undefined} />
            ))}
          </datalist>
        </div>
        <p>{words.offerMeans}</p>
        {offer.error && <Failure error={offer.error} />}
        <AsCode method={method.createCredentialConfiguration} request={request} />
        <div className="dialog-actions">
          <Button onPress={onClose}>{parts.cancel}</Button>
          <Button type="submit" look="primary" isDisabled={learningContextKey === "" || offer.isPending}>
            {words.offerNow}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
