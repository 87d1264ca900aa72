import { Code, ConnectError } from "@connectrpc/connect";
import { useMutation } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { type ComponentProps, type ReactNode, useState } from "react";
import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import { Button } from "../components/button.js";
import { DesignPreview, type PreviewRequest } from "../components/design-preview.js";
import { Failure } from "../components/failure.js";
import { SelectField, TextField } from "../components/fields.js";
import { lazily } from "../components/lazily.js";
import type { Choice } from "../components/picker.js";
import { useCaller } from "../components/use-may.js";
import { useChapter } from "../i18n/chapter.js";
import { useWords } from "../i18n/words.js";
import { REQUIREMENTS } from "../options/merged-options.js";
import { OptionsField } from "../options/options-field.js";
import { optionsText, readOptions } from "../options/read-options.js";
import { useFunctions } from "../options/use-functions.js";
import type { SavedOffer } from "../requirements/requirements.js";
import { WhoGetsIt } from "../requirements/who-gets-it.js";
import { fieldOfError } from "./field-of-error.js";
import type { Revised } from "./history-dialog.js";
import { useDraft } from "./use-draft.js";
import type { EditedFields, FieldName, Version } from "./version.js";

const HistoryDialog = lazily(() => import("./history-dialog.js"), "HistoryDialog");
const Conflict = lazily(() => import("./conflict.js"), "Conflict");
const Designer = lazily(() => import("../designer/designer.js"), "Designer");

/** The address says so of the view with the page itself. */
const DESIGN = "design";

/** What is edited, and how it is saved. */
export interface Subject {
  /** Names it among the drafts of a tab. */
  readonly draftName: string;
  readonly saved: Version;
  /** The type whose options these are; undefined if it is edited itself. */
  readonly type?: CredentialType;
  /** The search for what was issued by it before; undefined if nothing was. */
  readonly issued?: { readonly type: string } | { readonly configuration: string };
  /** The course or path whose learners get it. */
  readonly learningContextKey?: string;
  /** Whose earlier versions there are; undefined if it is new. */
  readonly revised?: Revised;
  /** Where requirements are tried at first. */
  readonly tryIn?: Choice | undefined;
  /** What it offers in a course or path; undefined: nothing is offered by it yet. */
  offerIn?(learningContextKey: string): SavedOffer | undefined;
  readonly saveLabel: string;
  /** What saving leads to. */
  readonly saveMeans: string;
  readonly optionsLabel: string;
  readonly optionsHelp?: string;
  /** The preview of what is stored, or of what is typed. */
  previewOf(fields: EditedFields, isStored: boolean): PreviewRequest;
  save(fields: EditedFields, etag: string): Promise<unknown>;
  /** Reads again what is stored. */
  refresh(): Promise<unknown>;
  asCode(fields: EditedFields, etag: string): ReactNode;
}

/** Edits what designers configure: a form, the document that it leads to, and the choice when two edit at once. */
export function Editor(props: {
  readonly subject: Subject;
  /** Why it can't be changed; undefined if it can. */
  readonly why: string | undefined;
}) {
  const caller = useCaller().data;
  const functions = useFunctions();
  if (!caller || functions.isPending) return null;
  return <EditorForm {...props} owner={caller.username} functions={functions} />;
}

function EditorForm({
  subject,
  why,
  owner,
  functions,
}: ComponentProps<typeof Editor> & {
  /** Whose draft it is. */
  readonly owner: string;
  readonly functions: ReturnType<typeof useFunctions>;
}) {
  const { parts } = useWords();
  const words = useChapter("designing");
  const { saved } = subject;
  const { fields, draft, base, change, rebase, undo, redo, forget } = useDraft(
    owner,
    subject.draftName,
    saved,
  );
  const navigate = useNavigate();
  const isDesign = useLocation({ select: ({ hash }) => hash === DESIGN });
  const [isLookingBack, setLookingBack] = useState(false);
  const [previewing, setPreviewing] = useState<EditedFields>();
  const previewed = (draft && previewing) ?? saved.fields;
  const save = useMutation({
    mutationFn: (typed: EditedFields) => subject.save(typed, base.etag),
    onSuccess: forget,
    onError: (error) => {
      if (ConnectError.from(error).code === Code.Aborted) return subject.refresh();
    },
  });
  const labels: Readonly<Record<string, string>> = {
    name: words.name,
    retrievalFunc: words.eligibility,
    generationFunc: words.design,
  };
  const inherited = subject.type && (subject.type.customOptions ?? {});
  const { retrievalFunc = "", generationFunc = "" } = subject.type ?? fields;
  const read = readOptions(fields.options);
  const isReadable = read.kind === "options";
  const isOutdated = draft !== undefined && base.etag !== saved.etag;
  const failed = save.error && !isOutdated ? { error: save.error, at: fieldAt(save.error) } : undefined;
  const problemAt = (name: FieldName) => failed?.at === name && <Failure error={failed.error} />;
  function type(name: FieldName, text: string) {
    save.reset();
    change({ ...fields, [name]: text }, name);
  }
  const steps = (act: (() => void) | undefined) =>
    act &&
    (() => {
      save.reset();
      act();
    });
  return (
    <>
      {isOutdated && (
        <Conflict
          draft={draft}
          theirs={saved}
          partName={(path) => labels[path]}
          onMerge={(merged) => {
            save.reset();
            rebase(saved, merged);
          }}
        />
      )}
      <fieldset className="views">
        <legend className="away-from-view">{words.views.title}</legend>
        {[DESIGN, ""].map((view) => (
          <button
            key={view}
            type="button"
            className="button"
            aria-pressed={isDesign === (view === DESIGN)}
            onClick={() =>
              void navigate({ to: ".", search: true, hash: view, replace: true, resetScroll: false })
            }
          >
            {view === DESIGN ? words.views.design : words.views.form}
          </button>
        ))}
        {subject.revised && (
          <Button variant="quiet" onPress={() => setLookingBack(true)}>
            {words.history}
          </Button>
        )}
      </fieldset>
      {subject.revised && isLookingBack && (
        <HistoryDialog
          revised={subject.revised}
          saved={saved.fields}
          type={subject.type}
          partName={(path) => labels[path]}
          previewOf={(state) => subject.previewOf(state, false)}
          onRestore={
            why === undefined
              ? (state) => {
                  save.reset();
                  change(state);
                  setLookingBack(false);
                }
              : undefined
          }
          onClose={() => setLookingBack(false)}
        />
      )}
      {isDesign && read.kind === "options" && (
        <Designer
          own={read.options}
          inherited={inherited}
          functions={functions.of(subject.type ?? fields)}
          isReadOnly={why !== undefined}
          learningContextKey={subject.learningContextKey}
          factsOf={subject.tryIn?.key}
          previewOf={(own) => subject.previewOf({ ...fields, options: optionsText(own) }, false)}
          onChange={(own, what) => {
            save.reset();
            change({ ...fields, options: optionsText(own) }, what);
          }}
          undo={steps(undo)}
          redo={steps(redo)}
        />
      )}
      <div className={isDesign ? "stack" : "beside designing"}>
        <form
          className="stack card padded"
          onSubmit={(event) => {
            event.preventDefault();
            if (draft && isReadable && !isOutdated && why === undefined) save.mutate(fields);
          }}
        >
          {!subject.type && (
            <TextField
              label={words.name}
              field="name"
              dir="auto"
              value={fields.name ?? ""}
              maxLength={255}
              readOnly={why !== undefined}
              problem={problemAt("name")}
              onType={(text) => type("name", text)}
            />
          )}
          {read.kind === "options" && (
            <WhoGetsIt
              retrievalFunc={retrievalFunc}
              own={read.options}
              inherited={inherited}
              isReadOnly={why !== undefined}
              context={subject.tryIn}
              isFixed={subject.learningContextKey !== undefined}
              offerIn={subject.offerIn}
              problem={failed && ConnectError.from(failed.error).rawMessage}
              fault={
                problemAt("retrievalFunc") ||
                (failed && optionOf(failed.error) === REQUIREMENTS && <Failure error={failed.error} />)
              }
              onFunction={
                subject.type
                  ? undefined
                  : (name, own) => {
                      save.reset();
                      change({ ...fields, retrievalFunc: name, options: optionsText(own) });
                    }
              }
              onChange={(own) => type("options", optionsText(own))}
            />
          )}
          {!subject.type && (
            <SelectField
              label={words.design}
              field="generation_func"
              value={generationFunc}
              disabled={why !== undefined}
              problem={problemAt("generationFunc")}
              onChoose={(name) => type("generationFunc", name)}
            >
              {[...new Set([generationFunc, ...functions.generating.map(({ name }) => name)])].map((name) => (
                <option key={name} value={name}>
                  {functions.meaningOf(name)}
                </option>
              ))}
            </SelectField>
          )}
          {(!isDesign || !isReadable) && (
            <OptionsField
              label={subject.optionsLabel}
              help={subject.optionsHelp}
              text={fields.options}
              functions={functions.of(subject.type ?? fields)}
              isReadOnly={why !== undefined}
              problem={
                failed?.at === "options"
                  ? { option: optionOf(failed.error), text: <Failure error={failed.error} /> }
                  : undefined
              }
              onType={(text) => type("options", text)}
            />
          )}
          {failed && failed.at === undefined && <Failure error={failed.error} />}
          <p className="small faint">{subject.saveMeans}</p>
          <div className="actions">
            <Button
              type="submit"
              variant="primary"
              why={why}
              isDisabled={!draft || !isReadable || isOutdated || save.isPending}
            >
              {save.isPending ? parts.working : subject.saveLabel}
            </Button>
            {draft && (
              <Button
                variant="quiet"
                onPress={() => {
                  save.reset();
                  forget();
                }}
              >
                {words.discard}
              </Button>
            )}
          </div>
          <p role="status" className="small">
            {draft ? words.unsaved : save.isSuccess && words.saved}{" "}
            {!draft && save.isSuccess && subject.issued && (
              <Link to="/credentials" search={{ ...subject.issued, standing: "valid" }}>
                {words.reissueBefore}
              </Link>
            )}
          </p>
          {isReadable && subject.asCode(fields, base.etag)}
          <details className="small">
            <summary>{words.forPrograms}</summary>
            {[retrievalFunc, generationFunc].map((path) => (
              <p key={path}>
                <code dir="ltr">{path}</code>
              </p>
            ))}
          </details>
        </form>
        {!isDesign && (
          <div className="desk">
            {draft && isReadable && !isSame(previewed, fields) && (
              <Button onPress={() => setPreviewing(fields)}>{words.previewAgain}</Button>
            )}
            <DesignPreview
              label={words.preview}
              request={subject.previewOf(previewed, isSame(previewed, saved.fields))}
            />
          </div>
        )}
      </div>
    </>
  );
}

function isSame(one: EditedFields, other: EditedFields): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The option that an error is about. */
function optionOf(error: unknown): string | undefined {
  return /custom_options\.(\w+)/.exec(fieldOfError(error) ?? "")?.[1];
}

/** The field of the form that an error is about. */
function fieldAt(error: unknown): FieldName | undefined {
  if (ConnectError.from(error).code === Code.AlreadyExists) return "name";
  const path = fieldOfError(error) ?? "";
  if (path.includes("custom_options")) return "options";
  if (path.endsWith("retrieval_func")) return "retrievalFunc";
  if (path.endsWith("generation_func")) return "generationFunc";
  return path.endsWith(".name") ? "name" : undefined;
}
