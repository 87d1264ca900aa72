import { type ComponentProps, useState } from "react";

type ButtonVariant = "primary" | "plain" | "quiet" | "danger";

/**
 * A disabled button shows the reason `why`. If it has the focus when it is disabled, it keeps it, so that keyboard
 * shortcuts still work.
 */
export function Button({
  variant = "plain",
  why,
  className = "",
  isDisabled = false,
  onPress,
  autoFocus = false,
  ...props
}: Omit<ComponentProps<"button">, "disabled" | "onClick" | "autoFocus"> & {
  readonly variant?: ButtonVariant;
  readonly why?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly onPress?: (() => void) | undefined;
  /** Moves the focus to the button when it appears. Only for a dialog that has no other button. */
  readonly autoFocus?: boolean;
}) {
  const isOff = isDisabled || why !== undefined;
  const [hasFocus, setFocused] = useState(false);
  return (
    <span className="button-place" title={why}>
      <button
        type="button"
        ref={autoFocus ? (button) => button?.focus() : undefined}
        {...props}
        disabled={isOff && !hasFocus}
        aria-disabled={isOff || undefined}
        data-disabled={isOff || undefined}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onClick={(event) => (isOff ? event.preventDefault() : onPress?.())}
        className={`button button-${variant} ${className}`}
      />
      {why !== undefined && <span className="away-from-view">{why}</span>}
    </span>
  );
}
