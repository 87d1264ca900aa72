import type { ComponentProps } from "react";

type Look = "primary" | "plain" | "quiet" | "danger";

/** A button. One that may not be pressed says why in `why`. */
export function Button({
  look = "plain",
  why,
  className = "",
  isDisabled = false,
  onPress,
  autoFocus = false,
  ...props
}: Omit<ComponentProps<"button">, "disabled" | "onClick" | "autoFocus"> & {
  readonly look?: Look;
  readonly why?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly onPress?: (() => void) | undefined;
  /** Whether it takes the focus when it appears, as in a dialog whose only answer it is. */
  readonly autoFocus?: boolean;
}) {
  const isOff = isDisabled || why !== undefined;
  return (
    <span className="button-place" title={why}>
      <button
        type="button"
        ref={autoFocus ? (button) => button?.focus() : undefined}
        {...props}
        disabled={isOff}
        data-disabled={isOff || undefined}
        onClick={() => onPress?.()}
        className={`button button-${look} ${className}`}
      />
      {why !== undefined && <span className="away-from-view">{why}</span>}
    </span>
  );
}
