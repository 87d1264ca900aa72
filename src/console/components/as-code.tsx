import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { type ReactNode, useState } from "react";
import { useWords } from "../i18n/words.js";
import { lazily } from "./lazily.js";

const ApiCall = lazily(() => import("./shown-code.js"), "ApiCall");
const Commands = lazily(() => import("./shown-code.js"), "Commands");

/** Shows how to do the same with an API call and with commands. */
export function AsCode<M extends DescMethodUnary>({
  method,
  request,
  commands,
}: {
  readonly method: M;
  readonly request: MessageInitShape<M["input"]>;
  /** Arguments of `learning-credentials`; undefined if no command can do it. */
  readonly commands?: readonly (readonly string[])[] | undefined;
}) {
  const { parts } = useWords();
  return (
    <div className="as-code">
      {commands && (
        <Disclosure label={parts.asCommand}>
          <Commands commands={commands} />
        </Disclosure>
      )}
      <Disclosure label={parts.asApiCall}>
        <ApiCall method={method} request={request} />
      </Disclosure>
    </div>
  );
}

/** Renders its children only while it is open. */
function Disclosure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && children}
    </details>
  );
}
