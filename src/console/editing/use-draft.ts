import { useRef, useState } from "react";
import { readFromTab, storeInTab } from "../service/tab-memory.js";
import { isUnchanged } from "./merge-versions.js";
import type { Draft, EditedFields, Version } from "./version.js";

/** Steps that can be undone, and the characters that they may take together: a tab keeps some five million. */
const MOST_STEPS = 100;
const MOST_CHARACTERS = 1_000_000;
/** Changes of one field that follow each other as closely are one step. */
const SAME_STEP_MS = 1000;

/**
 * What is typed over a stored version, with the steps that led to it, kept over a reload of the tab.
 * @param owner whose it is
 * @param name names what is edited
 */
export function useDraft(owner: string, name: string, saved: Version) {
  const [draft, setDraft] = useState(() => readDraft(readFromTab(owner, name)));
  const last = useRef({ what: "", time: 0 });
  function keep(next: Draft | undefined) {
    const isWorthKeeping = next && (!isUnchanged(next) || next.past?.length || next.future?.length);
    storeInTab(owner, name, isWorthKeeping ? next : undefined);
    setDraft(next);
  }
  const isChanged = draft !== undefined && !isUnchanged(draft);
  // Something else of it may have changed since, such as its schedule.
  const isSameBase = draft !== undefined && isUnchanged({ base: draft.base, fields: saved.fields });
  const base = isChanged && !isSameBase ? draft.base : saved;
  const isShown = isChanged || draft?.base.etag === saved.etag || isSameBase;
  const fields = (isShown ? draft?.fields : undefined) ?? saved.fields;
  const past = (isShown && draft?.past) || [];
  const future = (isShown && draft?.future) || [];
  const [before, after] = [past.at(-1), future.at(-1)];
  return {
    fields,
    /** Undefined while nothing differs from what was read. */
    draft: isChanged ? draft : undefined,
    /** The version that is changed here. */
    base,
    /** @param what is changed: changes of the same that follow each other closely are one step */
    change(next: EditedFields, what?: string) {
      const time = Date.now();
      const isSame = what !== undefined && what === last.current.what && past.length > 0;
      const joins = isSame && time - last.current.time < SAME_STEP_MS;
      last.current = { what: what ?? "", time };
      keep({ base, fields: next, past: joins ? past : bounded([...past, fields]) });
    },
    rebase: (base: Version, merged: EditedFields) =>
      keep({ base, fields: merged, past: bounded([...past, fields]) }),
    /** Undefined if there is nothing to undo. */
    undo:
      before && (() => keep({ base, fields: before, past: past.slice(0, -1), future: [...future, fields] })),
    /** Undefined if nothing was undone. */
    redo:
      after && (() => keep({ base, fields: after, past: [...past, fields], future: future.slice(0, -1) })),
    forget: () => keep(undefined),
  };
}

/** Leaves out the oldest steps, where there are too many. */
function bounded(steps: readonly EditedFields[]): readonly EditedFields[] {
  let characters = 0;
  const tooOld = steps.findLastIndex(({ options }, index) => {
    characters += options.length;
    return characters > MOST_CHARACTERS || index < steps.length - MOST_STEPS;
  });
  return steps.slice(tooOld + 1);
}

/** A tab may have kept it for an earlier release. */
function readDraft(stored: unknown): Draft | undefined {
  const { base, fields, past = [], future = [] } = (stored ?? {}) as Partial<Draft>;
  const isValid = typeof base?.etag === "string" && [base.fields, fields, ...past, ...future].every(isFields);
  return isValid ? { base, fields: fields as EditedFields, past, future } : undefined;
}

function isFields(fields: EditedFields | undefined): boolean {
  return typeof fields?.options === "string";
}
