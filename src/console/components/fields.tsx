import { type ComponentProps, type ReactNode, useId } from "react";
import { MATCHES_NOTHING, useMissing } from "./missing-field.js";

interface Labelled {
  readonly label: ReactNode;
  readonly help?: string | undefined;
  readonly problem?: ReactNode;
  /**
   * Path of the request field that this input sets, or the end of that path. An error about the request field mentions
   * the label of this input, and focuses it.
   */
  readonly field?: string | undefined;
}

/**
 * A text field. Other properties are passed to the input. If a required value is missing, submitting the form says so.
 */
export function TextField({
  label,
  help,
  problem,
  field,
  required = false,
  wrong,
  onType,
  className = "",
  ...input
}: Labelled &
  Omit<ComponentProps<"input">, "id" | "onChange"> & {
    /** Why the form can't be submitted with this value. */
    readonly wrong?: ReactNode;
    readonly onType?: (text: string) => void;
  }) {
  const id = useId();
  const isMissing = wrong !== undefined || (required && String(input.value ?? "").trim() === "");
  const { fault, onInvalid } = useMissing(isMissing, "emptyField", wrong);
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <input
        autoComplete="off"
        {...input}
        {...described(id, help, problem || fault)}
        required={required || wrong !== undefined}
        pattern={isMissing ? MATCHES_NOTHING : undefined}
        data-field={field}
        onInvalid={onInvalid}
        onChange={onType && (({ currentTarget: { value } }) => onType(value))}
      />
      <Help id={id} text={help} />
      <Fault id={id}>{problem || fault}</Fault>
    </div>
  );
}

/** Returns the attributes that link a field to its label, help and error. */
function described(id: string, help: string | undefined, problem: ReactNode) {
  const describedBy = [help && `${id}-help`, problem && `${id}-fault`].filter(Boolean).join(" ");
  return { id, "aria-describedby": describedBy || undefined, "aria-invalid": problem ? true : undefined };
}

/** A number field. Accepts any text, because callers parse digits of all scripts. */
export function NumberField(
  props: Pick<ComponentProps<typeof TextField>, "label" | "value" | "field" | "wrong" | "onType">,
) {
  return <TextField {...props} className="field-short" inputMode="numeric" />;
}

export function SelectField({
  label,
  help,
  problem,
  field,
  required = false,
  onChoose,
  className = "",
  ...select
}: Labelled &
  Omit<ComponentProps<"select">, "id" | "onChange"> & { readonly onChoose?: (value: string) => void }) {
  const id = useId();
  const { fault, onInvalid } = useMissing(required && select.value === "", "emptyChoice");
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        {...described(id, help, problem || fault)}
        required={required}
        onInvalid={onInvalid}
        data-field={field}
        onChange={onChoose && (({ currentTarget: { value } }) => onChoose(value))}
      />
      <Help id={id} text={help} />
      <Fault id={id}>{problem || fault}</Fault>
    </div>
  );
}

export function Options<Choice extends string | number>({
  of,
  nameOf = String,
}: {
  readonly of: readonly Choice[];
  readonly nameOf?: (choice: Choice) => ReactNode;
}) {
  return of.map((choice) => (
    <option key={choice} value={choice}>
      {nameOf(choice)}
    </option>
  ));
}

/**
 * A checkbox or radio button. In a group that requires a choice, only the first checkbox is marked as required, and
 * only while none is checked.
 */
export function CheckField({
  label,
  help,
  isGroup = false,
  required = false,
  onChoose,
  ...input
}: Omit<Labelled, "problem" | "field"> &
  Pick<ComponentProps<"input">, "name" | "checked" | "disabled" | "required"> & {
    /** Whether the field is one of several checkboxes in a fieldset. */
    readonly isGroup?: boolean;
    readonly type?: "checkbox" | "radio";
    readonly onChoose: (isChosen: boolean) => void;
  }) {
  const id = useId();
  const { fault, onInvalid } = useMissing(required && !input.checked, isGroup ? "emptyChoice" : "emptyCheck");
  return (
    <div className="check">
      <input
        type="checkbox"
        {...input}
        {...described(id, help, fault)}
        required={required}
        onInvalid={onInvalid}
        onChange={({ currentTarget: { checked } }) => onChoose(checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <Help id={id} text={help} />
        <Fault id={id}>{fault}</Fault>
      </div>
    </div>
  );
}

function Fault({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return children ? <div id={`${id}-fault`}>{children}</div> : null;
}

function Help({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={`${id}-help`} className="small faint">
      {text}
    </p>
  );
}
