import { useState } from "react";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { CodeLine } from "../components/code-line.js";
import { Dialog, DialogForm } from "../components/dialog.js";
import { TextField } from "../components/fields.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useWords } from "../i18n/words.js";
import { HOME } from "../service/home.js";
import { ProgramSteps } from "./program-steps.js";

/** Returns the URL of a page of this service outside the console. */
function addressOf(path: string): string {
  return new URL(`..${path}`, new URL(HOME, location.origin)).href;
}

/** Registers a platform that doesn't support dynamic registration. Like every new platform, it is pending at first. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
  const { lti: words } = useChapter("connecting");
  const { connections } = useChapter("administration");
  const { parts } = useWords();
  const register = useChange(LtiService.method.createLtiPlatform, onClose);
  const [texts, setTexts] = useState({
    issuer: "",
    clientId: "",
    authorizationUrl: "",
    tokenUrl: "",
    jwksUrl: "",
    name: "",
    tokenAudience: "",
  });
  const settings = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.trim()]),
  ) as typeof texts;
  const { name, tokenAudience } = settings;
  const field = (path: string, key: keyof typeof texts, label: string, help?: string) => (
    <TextField
      label={label}
      help={help}
      field={path}
      dir={key === "name" ? "auto" : "ltr"}
      spellCheck={false}
      required={key !== "name" && key !== "tokenAudience"}
      value={texts[key]}
      onType={(text) => setTexts({ ...texts, [key]: text })}
    />
  );
  const optional = (label: string) => `${label} (${parts.optional})`;
  const ours = [
    [words.launchUrl, "/lti/launch"],
    [words.loginUrl, "/lti/login"],
    [words.keysUrl, "/lti/jwks"],
  ] as const;
  return (
    <Dialog title={words.register} onClose={onClose}>
      <p>{words.registerMeans}</p>
      <dl className="stack">
        {ours.map(([label, path]) => (
          <div key={path}>
            <dt className="label">{label}</dt>
            <dd>
              <CodeLine text={addressOf(path)} />
            </dd>
          </div>
        ))}
      </dl>
      <ProgramSteps of={{ openedx: words.where.openedx }} />
      <DialogForm
        change={register}
        request={{ settings }}
        label={words.registerNow}
        commands={[
          [
            ...["lti", "register", settings.issuer || "https://…", "--client-id", settings.clientId || "…"],
            ...["--auth-url", settings.authorizationUrl || "…", "--token-url", settings.tokenUrl || "…"],
            ...["--jwks-url", settings.jwksUrl || "…"],
            ...(name ? ["--name", name] : []),
            ...(tokenAudience ? ["--audience", tokenAudience] : []),
          ],
        ]}
        onClose={onClose}
      >
        {field("issuer", "issuer", words.issuer)}
        {field("client_id", "clientId", connections.clientId)}
        {field("authorization_url", "authorizationUrl", words.authorizationUrl)}
        {field("token_url", "tokenUrl", words.tokenUrl)}
        {field("jwks_url", "jwksUrl", words.jwksUrl)}
        {field("name", "name", optional(words.name))}
        {field("token_audience", "tokenAudience", optional(words.audience), words.audienceMeans)}
      </DialogForm>
    </Dialog>
  );
}
