import type { JsonValue } from "@bufbuild/protobuf";
import { useState } from "react";

/**
 * Holds the typed text while it parses to the value. For example, `0.` parses to 0 and remains `0.`.
 * @returns the text to show, and the function to call when it is changed
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
