import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import { CredentialEventType } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { Dialog, DialogEnd } from "../components/dialog.js";
import { CheckField, TextField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { eventTypes } from "../events/event-types.js";
import { useChapter, useWords } from "../i18n/words.js";
import { SecretOnce } from "./secret-once.js";

export function AddEndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useChapter("webhooks");
  const { events, parts, shell } = useWords();
  const [texts, setTexts] = useState({ url: "", description: "", contact: "" });
  const [chosen, setChosen] = useState<readonly CredentialEventType[]>([]);
  const add = useChange(WebhookService.method.createWebhookEndpoint, undefined, { gcTime: 0 });
  if (add.data) return <SecretOnce secret={add.data.secret} onClose={onClose} />;

  const webhookEndpoint = {
    url: texts.url.trim(),
    description: texts.description.trim(),
    contact: texts.contact.trim(),
    eventTypes: [...chosen],
  };
  const field = (name: keyof typeof texts, type: string, help?: string) => (
    <TextField
      label={name === "url" ? words.url : `${words[name]} (${parts.optional})`}
      field={name}
      help={help}
      type={type}
      dir={name === "description" ? "auto" : "ltr"}
      spellCheck={false}
      required={name === "url"}
      value={texts[name]}
      onType={(text) => setTexts({ ...texts, [name]: text })}
    />
  );
  return (
    <Dialog title={words.add} onClose={onClose}>
      {field("url", "url")}
      {field("description", "text")}
      {field("contact", "email", words.contactMeans)}
      <fieldset className="choices">
        <legend className="label">{shell.events}</legend>
        <p className="small faint">{words.typesMean}</p>
        {eventTypes.map((type) => (
          <CheckField
            key={type}
            label={textFor(events.types, type) ?? events.unknown}
            checked={chosen.includes(type)}
            onChoose={(isChosen) =>
              setChosen(isChosen ? [...chosen, type] : chosen.filter((each) => each !== type))
            }
          />
        ))}
      </fieldset>
      <DialogEnd
        change={add}
        request={{ webhookEndpoint }}
        label={words.addNow}
        commands={[
          [
            ...["webhooks", "create", webhookEndpoint.url || "https://…"],
            ...chosen.flatMap((type) => ["--event", CredentialEventType[type].toLowerCase()]),
            ...(webhookEndpoint.description ? ["--description", webhookEndpoint.description] : []),
            ...(webhookEndpoint.contact ? ["--contact", webhookEndpoint.contact] : []),
          ],
        ]}
        onClose={onClose}
      />
    </Dialog>
  );
}
