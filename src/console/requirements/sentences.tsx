import type { JsonObject } from "@bufbuild/protobuf";
import { useSentences } from "./use-sentences.js";
import "./requirements.css";

/** Who gets a credential, in words. */
export function Sentences({
  retrievalFunc,
  options,
  nameOf,
}: {
  readonly retrievalFunc: string;
  readonly options: JsonObject;
  /** The name of a course of a path. */
  readonly nameOf?: (courseKey: string) => string;
}) {
  const sentences = useSentences(options);
  return sentences(retrievalFunc, options, nameOf).map((sentence) => (
    <span key={sentence} className="who-gets-it" dir="auto">
      {sentence}
    </span>
  ));
}
