import { type InvalidEvent, type ReactNode, Suspense, useState } from "react";
import { format } from "#foundation/languages/message.js";
import { useChapter } from "../i18n/words.js";

type Control = HTMLInputElement | HTMLSelectElement;

/** The message for an empty text field, select field or checkbox. */
type Kind = "emptyField" | "emptyChoice" | "emptyCheck";

/**
 * Makes a field required. If the user tries to submit the form without a value, a message appears below the field, and
 * stays until the field has a value.
 * @param isMissing whether the field's value prevents submitting the form
 * @param message by default, says that the field is required
 */
export function useMissing(isMissing: boolean, kind: Kind, message?: ReactNode) {
  const [label, setLabel] = useState<string>();
  if (!isMissing && label !== undefined) setLabel(undefined);
  return {
    fault: isMissing && label !== undefined && (
      <p className="field-fault">
        <Suspense>{message ?? <Missing kind={kind} label={label} />}</Suspense>
      </p>
    ),
    onInvalid(event: InvalidEvent<Control>) {
      event.preventDefault(); // the browser would show its own message, in the browser's language
      setLabel(labelOf(event.currentTarget));
    },
  };
}

function labelOf(control: Control): string {
  const isChoice = control.type === "checkbox" || control.type === "radio";
  const group = isChoice && control.closest("fieldset, tr")?.querySelector<HTMLElement>("legend, th");
  return (group || control.labels?.[0])?.innerText.trim() ?? "";
}

function Missing({ kind, label }: { readonly kind: Kind; readonly label: string }) {
  return format(useChapter("explanations")[kind], { field: label });
}

export function WholeNumber({ min, max }: { readonly min: number; readonly max: number }) {
  return useChapter("explanations").wholeNumber({ min, max });
}

/** A `pattern` that matches no text. */
export const MATCHES_NOTHING = "(?!)";

/** Parts of a form that have a button of their own. Their fields are required only for that button. */
const SUBFORMS = ".add-option, .conflict";

/**
 * Marks the required fields that have no valid value, and focuses the first one.
 * @param within any element of the dialog, form or part of a form whose fields are checked
 * @returns whether all fields have valid values
 */
export function isFilledIn(within: Element | null | undefined): boolean {
  const around = within?.closest(`form, [role$=dialog], .workshop, ${SUBFORMS}`);
  const missing = [...(around?.querySelectorAll<Control>("input, select") ?? [])].filter(
    (control) =>
      (control.closest(SUBFORMS) ?? around) === around &&
      (control.validity.valueMissing || control.validity.patternMismatch) &&
      !control.checkValidity(),
  );
  const [first] = missing;
  first?.closest("details")?.setAttribute("open", "");
  // Screen readers announce the message only if it is there before the field gets the focus.
  queueMicrotask(() => first?.focus());
  return missing.length === 0;
}
