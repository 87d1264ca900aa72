import { Code, ConnectError } from "@connectrpc/connect";
import { useMutation } from "@tanstack/react-query";
import { isFilledIn } from "../components/missing-field.js";
import { useChapter } from "../i18n/words.js";
import { readOptions } from "../options/read-options.js";
import { fieldOfError } from "./field-of-error.js";
import type { Subject } from "./subject.js";
import { useDraft } from "./use-draft.js";
import type { EditedFields, FieldName } from "./version.js";

export type Editing = ReturnType<typeof useEditing>;

/**
 * Holds the state of editing. Every change clears the error of the last attempt to save.
 * @param owner username of the draft's owner
 */
export function useEditing(subject: Subject, owner: string, why: string | undefined) {
  const words = useChapter("designing");
  const { saved, type } = subject;
  const { fields, draft, base, change, rebase, undo, redo, discard, forget, settle } = useDraft(
    owner,
    subject.draftName,
    saved,
  );
  const save = useMutation({
    mutationFn: (typed: EditedFields) => subject.save(typed, base.etag),
    onSuccess(stored, sent) {
      settle(sent, stored, stored.draftName);
      return stored.open?.();
    },
    onError: (error) => {
      if (ConnectError.from(error).code === Code.Aborted) return subject.refresh();
    },
  });
  const labels: Readonly<Record<string, string>> = {
    name: words.name,
    retrievalFunc: words.eligibility,
    generationFunc: words.design,
    options: subject.optionsLabel,
  };
  const read = readOptions(fields.options);
  const isOutdated = draft !== undefined && base.etag !== saved.etag;
  const failed = save.error && !isOutdated ? { error: save.error, at: fieldAt(save.error) } : undefined;
  const canSave =
    (draft !== undefined || saved.etag === "") &&
    read.kind === "options" &&
    !isOutdated &&
    !save.isPending &&
    why === undefined;
  const resetting = <A extends readonly unknown[]>(act: (...given: A) => void) => {
    return (...given: A) => {
      if (!save.isPending) save.reset();
      act(...given);
    };
  };
  return {
    fields,
    draft,
    base,
    read,
    failed,
    isOutdated,
    canSave,
    isSaving: save.isPending,
    isSaved: save.isSuccess,
    functionNames: functionsOf(type ?? fields),
    inherited: type && (type.customOptions ?? {}),
    partName: (path: string) => labels[path],
    change: resetting(change),
    type: resetting((name: FieldName, text: string) => change({ ...fields, [name]: text }, name)),
    merge: resetting((merged: EditedFields) => rebase(saved, merged)),
    undo: undo && resetting(undo),
    redo: redo && resetting(redo),
    // If someone else has saved a change meanwhile, undoing the discard could overwrite that change without a warning.
    discard: resetting(isOutdated ? forget : discard),
    save() {
      if (canSave && isFilledIn(document.querySelector("[data-field=name]"))) save.mutate(fields);
    },
  };
}

function functionsOf({ retrievalFunc = "", generationFunc = "" }: Partial<EditedFields>) {
  return { retrievalFunc, generationFunc };
}

export function optionOf(error: unknown): string | undefined {
  return /custom_options\.(\w+)/.exec(fieldOfError(error) ?? "")?.[1];
}

function fieldAt(error: unknown): FieldName | undefined {
  if (ConnectError.from(error).code === Code.AlreadyExists) return "name";
  const path = fieldOfError(error) ?? "";
  if (path.includes("custom_options")) return "options";
  if (path.endsWith("retrieval_func")) return "retrievalFunc";
  if (path.endsWith("generation_func")) return "generationFunc";
  return path.endsWith(".name") ? "name" : undefined;
}
