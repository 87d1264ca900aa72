import { Button as AriaButton, type ButtonProps } from "react-aria-components";

type Look = "primary" | "plain" | "quiet" | "danger";

/** A button. One that may not be pressed says why in `why`. */
export function Button({
  look = "plain",
  why,
  className = "",
  ...props
}: Omit<ButtonProps, "className"> & {
  readonly look?: Look;
  readonly why?: string | undefined;
  readonly className?: string;
}) {
  return (
    <span className="button-place" title={why}>
      <AriaButton
        {...props}
        isDisabled={props.isDisabled || why !== undefined}
        className={`button button-${look} ${className}`}
      />
      {why !== undefined && <span className="away-from-view">{why}</span>}
    </span>
  );
}
