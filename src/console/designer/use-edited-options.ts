import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { useState } from "react";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type { PreviewRequest } from "../components/design-preview.js";
import { changedOwn, valueAt, withValue } from "../options/change-options.js";
import { optionsText } from "../options/read-options.js";
import { isSame } from "../options/same-value.js";
import { withOnePage } from "./one-page.js";

export interface Designed {
  readonly own: JsonObject;
  /** Options of the type, which `own` overrides; undefined if the type itself is edited. */
  readonly inherited: JsonObject | undefined;
  readonly isReadOnly: boolean;
  previewOf(own: JsonObject): PreviewRequest;
  /** @param what identifies the changed value; quick changes of the same value are one undo step */
  onChange(own: JsonObject, what?: string): void;
}

const NONE: JsonObject = {};

/** Holds the options of a design, including temporary changes while something is dragged. */
export function useEditedOptions({ own, inherited = NONE, onChange }: Designed) {
  const [tried, setTried] = useState<JsonObject>();
  const stored = useStable(mergeOptions(inherited, own));
  const ownOf = (after: JsonObject) => changedOwn(inherited, own, { before: stored, after });
  function change(changed: JsonObject, what?: string) {
    const after = withOnePage(stored, changed);
    setTried(undefined);
    if (!isSame(after, stored)) onChange(ownOf(after), what);
    return after;
  }
  return {
    /** The options of type and configuration, merged, including temporary changes. */
    options: tried ?? stored,
    stored,
    tried,
    setTried,
    inherited,
    isInheriting: inherited !== NONE,
    /** The edited options, including temporary changes. */
    own: tried ? ownOf(tried) : own,
    change,
    set: (path: string, value: JsonValue | undefined) =>
      change(withValue(tried ?? stored, path, value), path),
    /** Returns whether the configuration differs from its type in the option at this path. */
    isOwn: (path: string) => inherited !== NONE && !isSame(valueAt(stored, path), valueAt(inherited, path)),
  };
}

export type EditedOptions = ReturnType<typeof useEditedOptions>;

/** Returns the same object while its content is equal. */
function useStable(value: JsonObject): JsonObject {
  const text = optionsText(value);
  const [stable, setStable] = useState({ text, value });
  if (stable.text === text) return stable.value;
  setStable({ text, value });
  return value;
}
