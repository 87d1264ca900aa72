import { Code, ConnectError } from "@connectrpc/connect";
import { useMutation } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import type { Function as CredentialFunction } from "../../../gen/learning_credentials/v1/configuration_pb.js";
import type { DesigningWording } from "../languages/en/designing.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { useWords } from "../reader/words.js";
import { DesignPreview, type PreviewRequest } from "./design-preview.js";
import { fieldOfError } from "./field-of-error.js";
import { OptionsField } from "./options/options-field.js";
import { readOptions } from "./options/read-options.js";
import { useDraft } from "./use-draft.js";
import type { EditedFields, FieldName, Version } from "./version.js";

/** It comes when it is needed, which is rarely. */
const Conflict = lazy(async () => ({ default: (await import("./conflict.js")).Conflict }));

/** A field beside the options. */
export interface EditorField {
  readonly name: Exclude<FieldName, "options">;
  readonly label: string;
  /** Absent: any text. */
  readonly choices?: readonly string[];
  /** What a choice means, in the service's own words. */
  helpOf?(choice: string): string | undefined;
}

/** What is edited, and how it is saved. */
export interface Subject {
  /** Names it among the drafts of a tab. */
  readonly draftName: string;
  readonly saved: Version;
  readonly fields: readonly EditorField[];
  readonly saveLabel: string;
  /** What saving leads to. */
  readonly saveMeans: string;
  readonly optionsLabel: string;
  readonly optionsHelp?: string;
  /** The functions whose options these are. */
  functionsOf(fields: EditedFields): readonly CredentialFunction[];
  /** The preview of what is stored, or of what is typed. */
  previewOf(fields: EditedFields, isStored: boolean): PreviewRequest;
  save(fields: EditedFields, etag: string): Promise<unknown>;
  /** Reads again what is stored. */
  refresh(): Promise<unknown>;
  asCode(fields: EditedFields, etag: string): ReactNode;
}

/** Edits what designers configure: a form, the document that it leads to, and the choice when two edit at once. */
export function Editor({
  subject,
  owner,
  why,
  words,
}: {
  readonly subject: Subject;
  /** Whose draft it is. */
  readonly owner: string;
  /** Why it can't be changed; undefined if it can. */
  readonly why: string | undefined;
  readonly words: DesigningWording;
}) {
  const { saved } = subject;
  const { fields, draft, base, change, rebase, forget } = useDraft(owner, subject.draftName, saved);
  const [asked, setAsked] = useState<EditedFields>();
  const previewed = (draft && asked) ?? saved.fields;
  const save = useMutation({
    mutationFn: (typed: EditedFields) => subject.save(typed, base.etag),
    onSuccess: forget,
    onError: (error) => {
      if (ConnectError.from(error).code === Code.Aborted) return subject.refresh();
    },
  });
  const isReadable = readOptions(fields.options).kind === "options";
  const isOutdated = draft !== undefined && base.etag !== saved.etag;
  const failed = save.error && !isOutdated ? { error: save.error, at: fieldAt(save.error) } : undefined;
  const problemAt = (name: FieldName) => failed?.at === name && <Failure error={failed.error} />;
  function type(name: FieldName, text: string) {
    save.reset();
    change({ ...fields, [name]: text });
  }
  return (
    <>
      <Suspense>
        {isOutdated && (
          <Conflict
            draft={draft}
            theirs={saved}
            words={words}
            partName={(path) => subject.fields.find(({ name }) => name === path)?.label}
            onMerge={(merged) => {
              save.reset();
              rebase(saved, merged);
            }}
          />
        )}
      </Suspense>
      <div className="beside designing">
        <form
          className="stack card padded"
          onSubmit={(event) => {
            event.preventDefault();
            if (draft && isReadable && !isOutdated && why === undefined) save.mutate(fields);
          }}
        >
          {subject.fields.map((field) => (
            <Field
              key={field.name}
              field={field}
              text={fields[field.name] ?? ""}
              isReadOnly={why !== undefined}
              problem={problemAt(field.name)}
              onType={(text) => type(field.name, text)}
            />
          ))}
          <OptionsField
            label={subject.optionsLabel}
            help={subject.optionsHelp}
            text={fields.options}
            functions={subject.functionsOf(fields)}
            isReadOnly={why !== undefined}
            problem={
              failed?.at === "options"
                ? { option: optionOf(failed.error), text: <Failure error={failed.error} /> }
                : undefined
            }
            words={words}
            onType={(text) => type("options", text)}
          />
          {failed && failed.at === undefined && <Failure error={failed.error} />}
          <SaveLine
            why={why}
            isReady={draft !== undefined && isReadable && !isOutdated}
            isSaving={save.isPending}
            isSaved={save.isSuccess && draft === undefined}
            isChanged={draft !== undefined}
            label={subject.saveLabel}
            means={subject.saveMeans}
            words={words}
            onDiscard={() => {
              save.reset();
              forget();
            }}
          />
          {isReadable && subject.asCode(fields, base.etag)}
        </form>
        <div className="desk">
          {draft && isReadable && !isSame(previewed, fields) && (
            <Button onPress={() => setAsked(fields)}>{words.previewAgain}</Button>
          )}
          <DesignPreview
            request={subject.previewOf(previewed, isSame(previewed, saved.fields))}
            words={words}
          />
        </div>
      </div>
    </>
  );
}

function SaveLine({
  why,
  isReady,
  isSaving,
  isSaved,
  isChanged,
  label,
  means,
  words,
  onDiscard,
}: {
  readonly why: string | undefined;
  readonly isReady: boolean;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  readonly isChanged: boolean;
  readonly label: string;
  readonly means: string;
  readonly words: DesigningWording;
  readonly onDiscard: () => void;
}) {
  const { parts } = useWords();
  return (
    <>
      <p className="small faint">{means}</p>
      <div className="actions">
        <Button type="submit" look="primary" why={why} isDisabled={!isReady || isSaving}>
          {isSaving ? parts.working : label}
        </Button>
        {isChanged && (
          <Button look="quiet" onPress={onDiscard}>
            {words.discard}
          </Button>
        )}
      </div>
      <p role="status" className="small">
        {isSaved ? words.saved : isChanged ? words.unsaved : ""}
      </p>
    </>
  );
}

function Field({
  field: { label, choices, helpOf },
  text,
  isReadOnly,
  problem,
  onType,
}: {
  readonly field: EditorField;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly problem: ReactNode;
  readonly onType: (text: string) => void;
}) {
  const id = useId();
  const help = helpOf?.(text);
  const described = [help && `${id}-help`, problem && `${id}-fault`].filter(Boolean).join(" ");
  const wrong = { "aria-invalid": Boolean(problem), "aria-describedby": described || undefined };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {choices ? (
        <select
          id={id}
          dir="ltr"
          value={text}
          disabled={isReadOnly}
          {...wrong}
          onChange={({ currentTarget: { value } }) => onType(value)}
        >
          {(choices.includes(text) ? choices : [text, ...choices]).map((choice) => (
            <option key={choice} value={choice}>
              {nameFirst(choice)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          dir="auto"
          value={text}
          maxLength={255}
          autoComplete="off"
          readOnly={isReadOnly}
          {...wrong}
          onChange={({ currentTarget: { value } }) => onType(value)}
        />
      )}
      {help && (
        <p id={`${id}-help`} className="small faint" lang="en" dir="ltr">
          {help}
        </p>
      )}
      <div id={`${id}-fault`}>{problem}</div>
    </div>
  );
}

/** A dotted path with its end, which tells most, before the rest: a narrow screen cuts off what comes last. */
function nameFirst(path: string): string {
  const [name = path, ...rest] = path.split(".").reverse();
  return rest.length === 0 ? name : `${name} (${rest.reverse().join(".")})`;
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
