import type { JsonObject } from "@bufbuild/protobuf";
import { useSentences } from "./use-sentences.js";
import "./requirements.css";

/** Describes who gets a credential, as sentences. */
export function Sentences({
  retrievalFunc,
  options,
  nameOf,
}: {
  readonly retrievalFunc: string;
  readonly options: JsonObject;
  /** Returns the name of a course in a path. */
  readonly nameOf?: (courseKey: string) => string;
}) {
  const sentences = useSentences(options);
  return sentences(retrievalFunc, options, nameOf).map((sentence) => (
    <span key={sentence} className="who-gets-it" dir="auto">
      {sentence}
    </span>
  ));
}
