import type { JsonObject } from "@bufbuild/protobuf";
import { type ComponentProps, type ReactNode, useState } from "react";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { lazily } from "../components/lazily.js";
import { useChapter } from "../i18n/words.js";
import { Sentences } from "./sentences.js";

const Requirements = lazily(() => import("./requirements.js"), "Requirements");

const NONE: JsonObject = {};

/**
 * Says in words who gets a credential. Shows the form when the reader wants to change or test the requirements.
 */
export function WhoGetsIt({
  fault,
  ...props
}: ComponentProps<typeof Requirements> & {
  /** The service's error, if no field shows it. */
  readonly fault: ReactNode;
}) {
  const words = useChapter("requirements");
  const [isOpen, setOpen] = useState(false);
  const { retrievalFunc, inherited = NONE, own, isReadOnly } = props;
  return (
    <fieldset className="stack requirements">
      <legend>{words.title}</legend>
      {!isOpen && (
        <div className="lead">
          <Sentences retrievalFunc={retrievalFunc} options={mergeOptions(inherited, own)} />
        </div>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{isReadOnly ? words.try : words.change}</summary>
        {isOpen && <Requirements {...props} />}
      </details>
      <div className="fault-place">{fault}</div>
    </fieldset>
  );
}
