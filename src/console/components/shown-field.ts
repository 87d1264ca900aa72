import type { ShownField } from "./explain-error.js";

/**
 * Finds the input that sets a field of the request, by its `data-field`, and focuses it. Looks first in the form or
 * dialog that shows the error, then on the whole page. Doesn't take the focus from a user who is typing.
 * @param path for example `credential_type.name` or `email_texts.texts[0].subject`
 * @param failure the element that shows the error
 */
export function focusField(path: string, failure: Element | null): ShownField | undefined {
  const around = failure?.closest("form, [role=dialog], [role=alertdialog]");
  const field = fieldIn(around, path) ?? fieldIn(document, path);
  const label = field?.labels?.[0]?.innerText.trim();
  if (!field || !label) return undefined;
  if (!document.activeElement?.matches("input, select, textarea")) field.focus();
  return { label, isEmpty: field.value.trim() === "", isChoice: field.matches("select, [role=combobox]") };
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function fieldIn(container: ParentNode | null | undefined, path: string): Field | undefined {
  const plain = path.replace(/\[\d+\]/g, "");
  return [...(container?.querySelectorAll<Field>("[data-field]") ?? [])].find(
    ({ dataset: { field }, offsetParent }) =>
      offsetParent !== null && (field === plain || plain.endsWith(`.${field}`)),
  );
}
