import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { Brand } from "../../../../gen/learning_credentials/v1/configuration_pb.js";
import {
  CredentialService,
  MailKind,
} from "../../../../gen/learning_credentials/v1/credential_service_pb.js";
import { languages } from "../../../languages/list.js";
import { Failure } from "../../components/failure.js";
import { SelectField } from "../../components/fields.js";
import { useChapter } from "../../i18n/chapter.js";
import { useLanguageTag } from "../../i18n/words.js";

const kinds = [MailKind.AVAILABLE, MailKind.EXPIRY, MailKind.WITHDRAWAL];

/** A mail as learners would get it, in each language and kind, with words that can be tried. */
export function MailPreview({ brand }: { readonly brand: Brand }) {
  const { branding: words } = useChapter("designing");
  const [kind, setKind] = useState(MailKind.AVAILABLE);
  const [language, setLanguage] = useState<string>(useLanguageTag());
  const [mailText, setMailText] = useState("");
  const shown = useDeferredValue({ brand, mailText });
  const { data, error } = useQuery(
    CredentialService.method.previewMail,
    { kind, language, ...shown },
    { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <section className="card padded stack" aria-labelledby="mail-preview">
      <h2 id="mail-preview">{words.mail}</h2>
      <div className="brand-pair">
        <SelectField label={words.mailKind} value={kind} onChoose={(chosen) => setKind(Number(chosen))}>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {words.mailKinds[each]}
            </option>
          ))}
        </SelectField>
        <SelectField label={words.language} value={language} onChoose={setLanguage}>
          {Object.entries(languages).map(([tag, { name }]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      {kind === MailKind.AVAILABLE && (
        <div className="field">
          <label htmlFor="mail-words">{words.tryWords}</label>
          <textarea
            id="mail-words"
            dir="auto"
            rows={3}
            maxLength={2000}
            value={mailText}
            onChange={({ currentTarget: { value } }) => setMailText(value)}
          />
          <p className="small faint">{words.tryWordsMean}</p>
        </div>
      )}
      {error && <Failure error={error} />}
      {data && (
        <article lang={language} dir={languages[language as keyof typeof languages]?.direction}>
          <p>
            <strong>{data.subject}</strong>
          </p>
          <pre className="mail-text">{data.text}</pre>
        </article>
      )}
    </section>
  );
}
