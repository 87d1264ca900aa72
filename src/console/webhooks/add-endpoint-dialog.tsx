import { useMutation } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { CredentialEventType } from "../../../gen/learning_credentials/v1/credential_event_pb.js";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import { eventTypes } from "../events/event-types.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { useWords } from "../reader/words.js";
import { SecretOnce } from "./secret-once.js";

/** Adds an endpoint, and shows its secret. */
export function AddEndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const { webhooks: words, events, parts } = useWords();
  const client = useQueryClient();
  const id = useId();
  const [texts, setTexts] = useState({ url: "", description: "", contact: "" });
  const [chosen, setChosen] = useState<readonly CredentialEventType[]>([]);
  const add = useMutation(WebhookService.method.createWebhookEndpoint, {
    gcTime: 0,
    onSuccess: () => client.invalidateQueries(),
  });
  if (add.data) return <SecretOnce secret={add.data.secret} onClose={onClose} />;

  const webhookEndpoint = {
    url: texts.url.trim(),
    description: texts.description.trim(),
    contact: texts.contact.trim(),
    eventTypes: [...chosen],
  };
  const field = (name: keyof typeof texts, type: string, help?: string) => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>
        {words[name]}
        {name !== "url" && ` (${parts.optional})`}
      </label>
      <input
        id={`${id}-${name}`}
        type={type}
        dir={name === "description" ? "auto" : "ltr"}
        autoComplete="off"
        spellCheck={false}
        value={texts[name]}
        aria-describedby={help && `${id}-${name}-help`}
        onChange={({ currentTarget: { value } }) => setTexts({ ...texts, [name]: value })}
      />
      {help && (
        <p id={`${id}-${name}-help`} className="small faint">
          {help}
        </p>
      )}
    </div>
  );
  return (
    <Dialog title={words.add} onClose={onClose}>
      {field("url", "url")}
      {field("description", "text")}
      {field("contact", "email", words.contactMeans)}
      <fieldset className="choices">
        <legend className="label">{words.types}</legend>
        <p className="small faint">{words.typesMean}</p>
        {eventTypes.map((type) => (
          <div key={type} className="check">
            <input
              id={`${id}-${type}`}
              type="checkbox"
              checked={chosen.includes(type)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(checked ? [...chosen, type] : chosen.filter((each) => each !== type))
              }
            />
            <label htmlFor={`${id}-${type}`}>{events.types[type] ?? events.unknown}</label>
          </div>
        ))}
      </fieldset>
      {add.error && <Failure error={add.error} />}
      <AsCode
        method={WebhookService.method.createWebhookEndpoint}
        request={{ webhookEndpoint }}
        commands={[["webhooks", "create", webhookEndpoint.url || "https://…"]]}
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>{parts.cancel}</Button>
        <Button
          look="primary"
          isDisabled={webhookEndpoint.url === "" || add.isPending}
          onPress={() => add.mutate({ webhookEndpoint })}
        >
          {words.addNow}
        </Button>
      </div>
    </Dialog>
  );
}
