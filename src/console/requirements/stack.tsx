import type { JsonObject } from "@bufbuild/protobuf";
import { Link } from "@tanstack/react-router";
import { keyParts } from "#foundation/text/key-parts.js";
import { mergeOptions, REQUIREMENTS } from "#foundation/text/merge-options.js";
import { isolated } from "../components/isolated.js";
import { lazily } from "../components/lazily.js";
import { useChapter } from "../i18n/words.js";
import { contextNameOf, useConfigurations } from "../offers/use-configurations.js";
import { isJsonObject } from "../options/read-options.js";
import { useCredentialTypes } from "../service/all-pages.js";
import type { Step } from "./picture.js";
import { groupName, MAX_SHOWN_LEVELS, partsOf, unwrapped } from "./tree.js";
import { useTreeSentence } from "./use-sentences.js";

const StepsPicture = lazily(() => import("./picture.js"), "StepsPicture");

/** Shows the credentials that a credential requires, level by level, and lists the configurations that require it. */
export function Stack({
  typeId,
  configurationId,
  options,
}: {
  readonly typeId: number;
  /** undefined for the type in every course and path. */
  readonly configurationId?: number;
  /** The saved options. */
  readonly options: JsonObject;
}) {
  const words = useChapter("trees");
  const types = useCredentialTypes();
  const { all: offers } = useConfigurations();
  const sentence = useTreeSentence(undefined);
  if (!types || !offers) return null;
  const nameOf = (key: string) => {
    const found = offers?.find(({ learningContextKey }) => learningContextKey === key);
    return found ? contextNameOf(found) : keyParts(key);
  };
  const typeOf = (id: unknown) => types.find((each) => each.id === id);

  function stepOf(tree: JsonObject, level: number): Step {
    const part = unwrapped(tree);
    const group = groupName(part, words);
    if (group !== undefined) return { text: group, parts: partsOf(part).map((each) => stepOf(each, level)) };
    if (!isJsonObject(part.holds)) return { text: sentence(part, nameOf) };
    const offer = offers?.find(({ id }) => id === (part.holds as JsonObject).configuration_id);
    const type = typeOf(offer?.credentialTypeId ?? part.holds.credential_type_id);
    if (!type) return { text: sentence(part, nameOf) };
    const own = mergeOptions(type.customOptions ?? {}, offer?.customOptions ?? {})[REQUIREMENTS];
    return {
      text: offer ? `${isolated(type.name)} · ${isolated(contextNameOf(offer))}` : type.name,
      link: { typeId: type.id },
      parts: isJsonObject(own) && level < MAX_SHOWN_LEVELS ? [stepOf(own, level + 1)] : [],
    };
  }

  const tree = options[REQUIREMENTS];
  const steps = isJsonObject(tree) && hasHeld(tree) ? [stepOf(tree, 0)] : [];
  const needing = offers.filter((offer) => {
    const type = typeOf(offer.credentialTypeId);
    const own = mergeOptions(type?.customOptions ?? {}, offer.customOptions ?? {})[REQUIREMENTS];
    return isJsonObject(own) && names(own, typeId, configurationId);
  });
  if (steps.length === 0 && needing.length === 0) return null;
  return (
    <section className="card padded stack">
      <h2>{words.stack}</h2>
      {steps.length > 0 && (
        <>
          <p className="small faint">{words.stackMeans}</p>
          <StepsPicture label={words.stack} steps={steps} />
        </>
      )}
      {needing.length > 0 && (
        <>
          <h3>{words.requiredFor}</h3>
          <ul>
            {needing.map((each) => (
              <li key={each.id}>
                <Link to="/configurations/$id" params={{ id: String(each.id) }}>
                  <bdi>{each.credentialTypeName}</bdi> · <bdi>{contextNameOf(each)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function hasHeld(part: JsonObject): boolean {
  return part.holds !== undefined || partsOf(part).some(hasHeld);
}

/** Returns whether a tree requires this credential. */
function names(part: JsonObject, typeId: number, configurationId: number | undefined): boolean {
  if (!isJsonObject(part.holds)) return partsOf(part).some((each) => names(each, typeId, configurationId));
  const { credential_type_id: type, configuration_id: offer } = part.holds;
  return type === typeId || (configurationId !== undefined && offer === configurationId);
}
