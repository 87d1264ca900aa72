import type { JsonObject } from "@bufbuild/protobuf";
import { keyParts } from "#foundation/text/key-parts.js";
import { useChapter } from "../i18n/words.js";
import { groupName, partsOf, unwrapped } from "./tree.js";
import { useTreeSentence } from "./use-sentences.js";
import "./requirements.css";

/** Describes a requirement tree as a list, for trees with nested groups. */
export function Outline({
  tree,
  nameOf = keyParts,
}: {
  readonly tree: JsonObject;
  readonly nameOf?: ((courseKey: string) => string) | undefined;
}) {
  const words = useChapter("trees");
  const sentence = useTreeSentence(tree);
  function items(parts: readonly JsonObject[]) {
    return (
      <ul className="outline">
        {parts.map(unwrapped).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified only by their place
          <li key={at}>
            <span className="who-gets-it">{groupName(part, words) ?? sentence(part, nameOf)}</span>
            {partsOf(part).length > 0 && items(partsOf(part))}
          </li>
        ))}
      </ul>
    );
  }
  const root = unwrapped(tree);
  return (
    <>
      <span className="who-gets-it">{groupName(root, words)}</span>
      {items(partsOf(root))}
    </>
  );
}
