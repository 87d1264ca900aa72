import type { JsonObject } from "@bufbuild/protobuf";
import { REQUIREMENTS } from "#foundation/text/merge-options.js";
import { lazily } from "../components/lazily.js";
import { isJsonObject } from "../options/read-options.js";
import { useFunctions } from "../options/use-functions.js";
import { requirementsOf } from "./required.js";
import { isNested } from "./tree.js";
import { useSentences } from "./use-sentences.js";
import "./requirements.css";

const Outline = lazily(() => import("./outline.js"), "Outline");

/** Describes who gets a credential, either in sentences or, if groups are nested, in a list. */
export function Sentences({
  retrievalFunc,
  options,
  nameOf,
}: {
  readonly retrievalFunc: string;
  readonly options: JsonObject;
  readonly nameOf?: (courseKey: string) => string;
}) {
  const sentences = useSentences(options);
  const [fn] = useFunctions().of({ retrievalFunc });
  const tree = options[REQUIREMENTS];
  if (requirementsOf(fn).isTree && isJsonObject(tree) && isNested(tree))
    return <Outline tree={tree} nameOf={nameOf} />;
  return sentences(retrievalFunc, options, nameOf).map((sentence) => (
    <span key={sentence} className="who-gets-it">
      {sentence}
    </span>
  ));
}
