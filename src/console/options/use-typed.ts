import type { JsonValue } from "@bufbuild/protobuf";
import { useState } from "react";

/**
 * What is typed for a value, as long as it still reads as that value: `0.` reads as 0, and stays `0.`.
 * @returns what is shown, and what to call when something else is typed
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
