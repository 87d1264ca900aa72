import { useRef, useState } from "react";
import { readFromTab, storeInTab } from "../service/tab-memory.js";
import { isSameState, isUnchanged } from "./compare-versions.js";
import type { Draft, EditedFields, Version } from "./version.js";

/** Maximum number of undo steps, and of characters in all of them. A tab can store about five million characters. */
const MAX_STEPS = 100;
const MAX_CHARACTERS = 1_000_000;
/** Changes of one field within this time become a single undo step. */
const SAME_STEP_MS = 1000;

/**
 * Holds the edited version of a stored object and its undo steps. They survive a reload of the tab.
 * @param owner username of the draft's owner
 * @param name key of the edited object
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
  // The object's version may be newer although its edited fields are the same, for example if its schedule was changed.
  const isSameBase = draft !== undefined && isUnchanged({ base: draft.base, fields: saved.fields });
  const base = isChanged && !isSameBase ? draft.base : saved;
  const isShown = isChanged || draft?.base.etag === saved.etag || isSameBase;
  const fields = (isShown ? draft?.fields : undefined) ?? saved.fields;
  const past = (isShown && draft?.past) || [];
  const future = (isShown && draft?.future) || [];
  const [before, after] = [past.at(-1), future.at(-1)];
  return {
    fields,
    /** undefined while nothing differs from the stored version. */
    draft: isChanged ? draft : undefined,
    base,
    /** @param what identifies the changed value; quick changes of the same value are one undo step */
    change(next: EditedFields, what?: string) {
      const time = Date.now();
      const isSame = what !== undefined && what === last.current.what && past.length > 0;
      const joins = isSame && time - last.current.time < SAME_STEP_MS;
      last.current = { what: what ?? "", time };
      keep({ base, fields: next, past: joins ? past : bounded([...past, fields]) });
    },
    rebase: (base: Version, merged: EditedFields) =>
      keep({ base, fields: merged, past: bounded([...past, fields]) }),
    undo:
      before && (() => keep({ base, fields: before, past: past.slice(0, -1), future: [...future, fields] })),
    redo:
      after && (() => keep({ base, fields: after, past: [...past, fields], future: future.slice(0, -1) })),
    /** Returns to the stored version, as a step that can be undone. */
    discard: () => keep({ base: saved, fields: saved.fields, past: bounded([...past, fields]) }),
    forget: () => keep(undefined),
    /**
     * Makes the stored version the base of the draft. Keeps what was changed since `sent`, and its undo steps.
     * @param storedName key of the stored object, which differs from `name` if the object was created
     */
    settle(sent: EditedFields, stored: Version, storedName = name) {
      const rest = isSameState(sent, fields) ? undefined : { base: stored, fields, past, future };
      if (storedName !== name) storeInTab(owner, storedName, rest);
      keep(storedName === name ? rest : undefined);
    },
  };
}

/** Omits the oldest steps beyond the limits. */
function bounded(steps: readonly EditedFields[]): readonly EditedFields[] {
  let characters = 0;
  const tooOld = steps.findLastIndex(({ options }, index) => {
    characters += options.length;
    return characters > MAX_CHARACTERS || index < steps.length - MAX_STEPS;
  });
  return steps.slice(tooOld + 1);
}

/** Validates a stored draft. An earlier release may have stored it in another form. */
function readDraft(stored: unknown): Draft | undefined {
  const { base, fields, past = [], future = [] } = (stored ?? {}) as Partial<Draft>;
  const isValid = typeof base?.etag === "string" && [base.fields, fields, ...past, ...future].every(isFields);
  return isValid ? { base, fields: fields as EditedFields, past, future } : undefined;
}

function isFields(fields: EditedFields | undefined): boolean {
  return typeof fields?.options === "string";
}
