import { useState } from "react";
import { keepInTab, keptInTab } from "../service/tab-memory.js";
import { isUnchanged } from "./merge-versions.js";
import type { Draft, EditedFields, Version } from "./version.js";

/**
 * What is typed over a stored version, kept over a reload of the tab.
 * @param owner whose it is
 * @param name names what is edited
 */
export function useDraft(owner: string, name: string, saved: Version) {
  const [draft, setDraft] = useState(() => readDraft(keptInTab(owner, name)));
  function keep(next: Draft | undefined) {
    const changed = next && !isUnchanged(next) ? next : undefined;
    keepInTab(owner, name, changed);
    setDraft(changed ?? next);
  }
  const isChanged = draft !== undefined && !isUnchanged(draft);
  // Something else of it may have changed since, such as its schedule.
  const isSameBase = draft !== undefined && isUnchanged({ base: draft.base, fields: saved.fields });
  const base = isChanged && !isSameBase ? draft.base : saved;
  const isShown = isChanged || draft?.base.etag === saved.etag;
  return {
    fields: (isShown ? draft?.fields : undefined) ?? saved.fields,
    /** Undefined while nothing differs from what was read. */
    draft: isChanged ? draft : undefined,
    /** The version that is changed here. */
    base,
    change: (fields: EditedFields) => keep({ base, fields }),
    rebase: (base: Version, fields: EditedFields) => keep({ base, fields }),
    forget: () => keep(undefined),
  };
}

/** A tab may have kept it for an earlier release. */
function readDraft(kept: unknown): Draft | undefined {
  const { base, fields } = (kept ?? {}) as Partial<Draft>;
  const isWhole =
    typeof base?.etag === "string" &&
    typeof base.fields?.options === "string" &&
    typeof fields?.options === "string";
  return isWhole ? { base, fields } : undefined;
}
