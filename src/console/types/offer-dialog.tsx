import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { Dialog } from "../components/dialog.js";
import { DialogEnd } from "../components/dialog-end.js";
import { TextField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useChapter } from "../i18n/chapter.js";

const SUGGESTED = 20;

/** Offers a type in a course or path, and goes on to what is different there. */
export function OfferDialog({ typeId, onClose }: { readonly typeId: number; readonly onClose: () => void }) {
  const words = useChapter("designing");
  const id = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const learningContextKey = typed.trim();
  const known = useQuery(
    LearnerRecordService.method.listLearningContexts,
    { query: learningContextKey, pageSize: SUGGESTED },
    { placeholderData: keepPreviousData },
  );
  const offer = useChange(ConfigurationService.method.createCredentialConfiguration, ({ id: created }) =>
    navigate({ to: "/configurations/$id", params: { id: String(created) } }),
  );
  const request = { credentialConfiguration: { credentialTypeId: typeId, learningContextKey } };
  const isReady = learningContextKey !== "";
  return (
    <Dialog title={words.offer} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !offer.isPending) offer.mutate(request);
        }}
      >
        <TextField
          label={words.contextKey}
          help={words.contextKeyMeans}
          dir="ltr"
          list={`${id}-known`}
          spellCheck={false}
          maxLength={255}
          value={typed}
          onType={setTyped}
        />
        <datalist id={`${id}-known`}>
          {known.data?.contexts.map(({ learningContextKey: key, displayName }) => (
            <option key={key} value={key} label={displayName || undefined} />
          ))}
        </datalist>
        <p>{words.offerMeans}</p>
        <DialogEnd
          change={offer}
          request={request}
          isReady={isReady}
          isForm
          label={words.offerNow}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
