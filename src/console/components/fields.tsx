import { type ComponentProps, type ReactNode, useId } from "react";

interface Labelled {
  readonly label: ReactNode;
  /** A line below the field. */
  readonly help?: string | undefined;
  /** The error in the field's value. */
  readonly problem?: ReactNode;
  /**
   * The end of the path of the request's field. Errors about that field then mention the label, and focus this field.
   */
  readonly field?: string | undefined;
}

/** A text field with its label. Other properties are passed to the input. */
export function TextField({
  label,
  help,
  problem,
  field,
  onType,
  className = "",
  ...input
}: Labelled &
  Omit<ComponentProps<"input">, "id" | "onChange"> & { readonly onType?: (text: string) => void }) {
  const id = useId();
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <input
        autoComplete="off"
        {...input}
        {...described(id, help, problem)}
        data-field={field}
        onChange={onType && (({ currentTarget: { value } }) => onType(value))}
      />
      <Help id={id} text={help} />
      {problem && <div id={`${id}-fault`}>{problem}</div>}
    </div>
  );
}

/** Returns the attributes that link a field to its label, and to the help and error below it. */
function described(id: string, help: string | undefined, problem: ReactNode) {
  const said = [help && `${id}-help`, problem && `${id}-fault`].filter(Boolean).join(" ");
  return { id, "aria-describedby": said || undefined, "aria-invalid": problem ? true : undefined };
}

/** A short field for a number. It accepts any text, so that the caller can parse digits of all scripts. */
export function NumberField(
  props: Pick<ComponentProps<typeof TextField>, "label" | "value" | "field" | "onType">,
) {
  return <TextField {...props} className="field-short" inputMode="numeric" />;
}

/** A select field with its label. Its children are the options. */
export function SelectField({
  label,
  help,
  problem,
  field,
  onChoose,
  className = "",
  ...select
}: Labelled &
  Omit<ComponentProps<"select">, "id" | "onChange"> & { readonly onChoose?: (value: string) => void }) {
  const id = useId();
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        {...described(id, help, problem)}
        data-field={field}
        onChange={onChoose && (({ currentTarget: { value } }) => onChoose(value))}
      />
      <Help id={id} text={help} />
      {problem && <div id={`${id}-fault`}>{problem}</div>}
    </div>
  );
}

/** A checkbox or radio button with its label. */
export function CheckField({
  label,
  help,
  onChoose,
  ...input
}: Omit<Labelled, "problem" | "field"> &
  Pick<ComponentProps<"input">, "name" | "checked" | "disabled"> & {
    readonly type?: "checkbox" | "radio";
    readonly onChoose: (isChosen: boolean) => void;
  }) {
  const id = useId();
  return (
    <div className="check">
      <input
        type="checkbox"
        {...input}
        id={id}
        aria-describedby={help && `${id}-help`}
        onChange={({ currentTarget: { checked } }) => onChoose(checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <Help id={id} text={help} />
      </div>
    </div>
  );
}

function Help({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={`${id}-help`} className="small faint">
      {text}
    </p>
  );
}
