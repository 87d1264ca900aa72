import type { JsonValue } from "@bufbuild/protobuf";
import { useState } from "react";

/**
 * Shows a value as the user has typed it. For example, `0.` parses to 0, but remains `0.` while it is being typed.
 * @returns the text to show, and the function to call when the user changes it
 */
export function useTyped<Typed>(
  value: JsonValue | undefined,
  show: (value: JsonValue | undefined) => Typed,
  read: (typed: Typed) => JsonValue | undefined,
  onChange: (value: JsonValue | undefined) => void,
): [Typed, (typed: Typed) => void] {
  const [typed, setTyped] = useState<{ readonly as: Typed }>();
  const isStill = typed && JSON.stringify(read(typed.as)) === JSON.stringify(value);
  return [
    isStill ? typed.as : show(value),
    (next) => {
      setTyped({ as: next });
      onChange(read(next));
    },
  ];
}
