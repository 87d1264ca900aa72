import { create } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, Fragment, useDeferredValue, useState } from "react";
import { languages } from "#foundation/languages/list.js";
import { textFor } from "#foundation/languages/message.js";
import { MAX_EMAIL_INTRODUCTION, MAX_EMAIL_LINE, MAX_EMAIL_TEXT } from "#foundation/limits.js";
import type { Brand } from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  CredentialService,
  EmailKind,
  type EmailText,
  EmailTextSchema,
  type EmailTexts,
  type PreviewEmailResponse,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { Button } from "../../components/button.js";
import { Failure } from "../../components/failure.js";
import { Options, SelectField, TextField } from "../../components/fields.js";
import { useChange } from "../../components/use-change.js";
import { useMay } from "../../components/use-may.js";
import { ShownEmail } from "../../emails/shown-email.js";
import { useChapter, useLanguageTag } from "../../i18n/words.js";
import { SaveActions } from "./save-actions.js";
import { useKeptEdits } from "./use-kept-edits.js";

const { method } = CredentialService;
const kinds = [EmailKind.AVAILABLE, EmailKind.EXPIRY, EmailKind.WITHDRAWAL];

export function OrganisationEmails({ brand }: { readonly brand: Brand }) {
  const { organisation } = brand;
  const words = useChapter("branding");
  const stored = useQuery(method.getEmailTexts, { organisation });
  const shared = useQuery(method.getEmailTexts, { organisation: "" });
  const [shown, setShown] = useState<Shown>({ kind: EmailKind.AVAILABLE, language: useLanguageTag() });
  return (
    <section className="card padded stack" aria-labelledby="email-texts">
      <h2 id="email-texts">{words.mail}</h2>
      {stored.error && <Failure error={stored.error} onRetry={() => void stored.refetch()} />}
      {stored.data && shared.data && (
        <Editor
          brand={brand}
          stored={stored.data}
          shared={shared.data.texts}
          shown={shown}
          onShow={setShown}
        />
      )}
    </section>
  );
}

function Editor({
  brand,
  stored,
  shared,
  shown: { kind, language },
  onShow,
}: {
  readonly brand: Brand;
  /** Its newer versions replace only texts that the user has not edited. */
  readonly stored: EmailTexts;
  /** The texts of the whole service. They are used where this organisation has none. */
  readonly shared: readonly EmailText[];
  /** The email that is being edited. It stays selected after saving. */
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}) {
  const words = useChapter("branding");
  const client = useQueryClient();
  const [mailText, setEmailText] = useState("");
  const { own, inherited, texts, isChanged, edit, removeSent, discard } = useEditedTexts(stored, shared, {
    kind,
    language,
  });
  const change = useChange(method.updateEmailTexts, undefined, { onError: () => client.invalidateQueries() });
  const why = useMay()("designer");
  const { data, error, sample } = usePreview({
    kind,
    language,
    brand,
    mailText,
    text: filledUp(own, inherited),
  });
  const usual = data?.usual && filledUp(inherited, data.usual);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (why !== undefined || !isChanged) return;
    change.mutate({ emailTexts: { ...stored, texts } }, { onSuccess: removeSent });
  };
  const reader = {
    lang: language,
    dir: languages[language as keyof typeof languages]?.direction,
    readOnly: why !== undefined,
  };
  return (
    <form className="stack" onSubmit={save}>
      <ShownChoice shown={{ kind, language }} onShow={onShow} />
      <PartFields
        reader={reader}
        text={own}
        usual={usual}
        placeholders={data?.placeholders ?? []}
        onType={edit}
      />
      <SaveActions
        why={why}
        isChanged={isChanged}
        isPending={change.isPending}
        isSaved={change.data?.etag === stored.etag}
        onDiscard={discard}
      >
        <Button
          isDisabled={!isFilled(own) || why !== undefined}
          onPress={() => edit({ subject: "", heading: "", introduction: "" })}
        >
          {words.usualWords}
        </Button>
      </SaveActions>
      {change.error && <Failure error={change.error} />}
      {kind === EmailKind.AVAILABLE && <TryWords text={mailText} onType={setEmailText} />}
      <AsSent sample={sample} lang={language} error={change.error ? null : error} />
    </form>
  );
}

/** Returns the texts of the shown email, and all texts with the user's changes. */
function useEditedTexts(stored: EmailTexts, shared: readonly EmailText[], shown: Shown) {
  const [edited, setEdited] = useKeptEdits<readonly EmailText[]>(`emails ${stored.organisation}`, []);
  const isOf = (text: EmailText) => isSameEmail(text, shown);
  const texts = [
    ...stored.texts.filter((text) => !edited.some((each) => isSameEmail(each, text))),
    ...edited.filter(isFilled),
  ];
  const own = [...edited, ...stored.texts].find(isOf) ?? create(EmailTextSchema, shown);
  const inherited = stored.organisation === "" ? undefined : shared.find(isOf);
  const isChanged = edited.some(
    (text) =>
      !isSameText(
        text,
        stored.texts.find((each) => isSameEmail(each, text)),
      ),
  );
  const edit = (changes: Partial<Record<Part, string>>) =>
    setEdited([...edited.filter((text) => !isOf(text)), { ...own, ...changes }]);
  const removeSent = () => setEdited((current) => current.filter((text) => !edited.includes(text)));
  return { own, inherited, texts, isChanged, edit, removeSent, discard: () => setEdited([]) };
}

/** Previews an email. If the service rejects a preview, the previous preview stays visible. */
function usePreview({
  kind,
  language,
  ...texts
}: Shown & {
  readonly brand: Brand;
  readonly mailText: string;
  readonly text: ReturnType<typeof filledUp>;
}) {
  const previewed = useDeferredValue(texts);
  const { data, error } = useQuery(
    method.previewEmail,
    { kind, language, ...previewed },
    { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY },
  );
  const [shownBefore, setShownBefore] = useState(data);
  if (data && data !== shownBefore) setShownBefore(data);
  return { data, error, sample: data ?? shownBefore };
}

function AsSent({
  sample,
  lang,
  error,
}: {
  readonly sample: PreviewEmailResponse | undefined;
  readonly lang: string;
  readonly error: Error | null;
}) {
  const words = useChapter("branding");
  return (
    <>
      <h3>{words.asSent}</h3>
      {error && <Failure error={error} />}
      {sample && <ShownEmail email={sample} lang={lang} />}
    </>
  );
}

function ShownChoice({
  shown: { kind, language },
  onShow,
}: {
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}) {
  const words = useChapter("branding");
  return (
    <div className="brand-pair">
      <SelectField
        label={words.emailKind}
        value={kind}
        onChoose={(chosen) => onShow({ kind: Number(chosen), language })}
      >
        <Options of={kinds} nameOf={(each) => textFor(words.emailKinds, each)} />
      </SelectField>
      <SelectField
        label={words.language}
        value={language}
        onChoose={(tag) => onShow({ kind, language: tag })}
      >
        {Object.entries(languages).map(([tag, { name }]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

/** Fields for a text. If a field is empty, the default text is used. */
function PartFields({
  reader,
  text,
  usual,
  placeholders,
  onType,
}: {
  readonly reader: {
    readonly lang: string;
    readonly dir: "ltr" | "rtl" | undefined;
    readonly readOnly: boolean;
  };
  readonly text: EmailText;
  readonly usual: Record<Part, string> | undefined;
  readonly placeholders: readonly string[];
  readonly onType: (typed: Partial<Record<Part, string>>) => void;
}) {
  const words = useChapter("branding");
  return (
    <>
      {(["subject", "heading"] as const).map((part) => (
        <TextField
          {...reader}
          key={part}
          label={words[part]}
          field={part}
          placeholder={usual?.[part]}
          maxLength={MAX_EMAIL_LINE}
          value={text[part]}
          onType={(typed) => onType({ [part]: typed })}
        />
      ))}
      <div className="field">
        <label htmlFor="mail-introduction">{words.introduction}</label>
        <textarea
          {...reader}
          id="mail-introduction"
          data-field="introduction"
          aria-describedby="mail-placeholders"
          rows={4}
          maxLength={MAX_EMAIL_INTRODUCTION}
          placeholder={usual?.introduction}
          value={text.introduction}
          onChange={({ currentTarget: { value } }) => onType({ introduction: value })}
        />
        <p id="mail-placeholders" className="small faint">
          {words.emailPlaceholders}
          {placeholders.map((name) => (
            <Fragment key={name}>
              {" "}
              <code dir="ltr">{`{${name}}`}</code>
            </Fragment>
          ))}
        </p>
      </div>
    </>
  );
}

function TryWords({ text, onType }: { readonly text: string; readonly onType: (text: string) => void }) {
  const words = useChapter("branding");
  return (
    <div className="field">
      <label htmlFor="mail-words">{words.tryWords}</label>
      <textarea
        id="mail-words"
        data-field="mail_text"
        dir="auto"
        rows={2}
        maxLength={MAX_EMAIL_TEXT}
        value={text}
        onChange={({ currentTarget: { value } }) => onType(value)}
      />
      <p className="small faint">{words.tryWordsMean}</p>
    </div>
  );
}

function isSameEmail(one: Shown, other: Shown): boolean {
  return one.kind === other.kind && one.language === other.language;
}

function isSameText(one: EmailText, other: EmailText | undefined): boolean {
  return JSON.stringify(filledUp(one, undefined)) === JSON.stringify(filledUp(other, undefined));
}

interface Shown {
  readonly kind: EmailKind;
  readonly language: string;
}

type Part = "subject" | "heading" | "introduction";

function isFilled({ subject, heading, introduction }: EmailText): boolean {
  return `${subject}${heading}${introduction}` !== "";
}

/** Fills the empty parts of a text with those of another text. */
function filledUp(text: EmailText | undefined, other: EmailText | undefined) {
  return {
    subject: text?.subject || other?.subject || "",
    heading: text?.heading || other?.heading || "",
    introduction: text?.introduction || other?.introduction || "",
  };
}
