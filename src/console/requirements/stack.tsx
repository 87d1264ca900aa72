import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { isolated } from "../components/isolated.js";
import { keyParts } from "../components/key-parts.js";
import { useChapter } from "../i18n/chapter.js";
import { contextOf, useConfigurations } from "../offers/use-configurations.js";
import { mergedOptions, REQUIREMENTS } from "../options/merged-options.js";
import { isObject } from "../options/read-options.js";
import { Picture, type Step } from "./picture.js";
import { isGroup, kindOf, partsOf } from "./tree.js";
import { useTreeSentence } from "./use-sentences.js";

/** Credentials can't require each other, but data read at different times may look as if they did. */
const MAX_LEVELS = 20;

/** The credentials that one requires, those that require it, and how they build on each other. */
export function Stack({
  typeId,
  configurationId,
  options,
}: {
  readonly typeId: number;
  /** undefined: in every course and path. */
  readonly configurationId?: number;
  /** The saved options. */
  readonly options: JsonObject;
}) {
  const words = useChapter("trees");
  const types = useQuery(ConfigurationService.method.listCredentialTypes, { pageSize: 1000 }).data
    ?.credentialTypes;
  const { all: offers } = useConfigurations();
  const sentence = useTreeSentence(undefined);
  if (!types || !offers) return null;
  /** Names are only known for courses and paths with a configuration. */
  const nameOf = (key: string) => {
    const known = offers?.find(({ learningContextKey }) => learningContextKey === key);
    return known ? contextOf(known) : keyParts(key);
  };
  const typeOf = (id: unknown) => types.find((each) => each.id === id);

  function stepOf(part: JsonObject, level: number): Step {
    const kind = kindOf(part);
    if (kind && isGroup(kind))
      return {
        text: kind === "at_least" ? words.atLeast({ count: Number(part.at_least) || 1 }) : words.rules[kind],
        parts: partsOf(part).map((each) => stepOf(each, level)),
      };
    if (!isObject(part.holds)) return { text: sentence(part, nameOf) };
    const offer = offers?.find(({ id }) => id === (part.holds as JsonObject).configuration_id);
    const type = typeOf(offer?.credentialTypeId ?? part.holds.credential_type_id);
    if (!type) return { text: sentence(part, nameOf) };
    const own = mergedOptions(type.customOptions ?? {}, offer?.customOptions ?? {})[REQUIREMENTS];
    return {
      text: offer ? `${isolated(type.name)} · ${isolated(contextOf(offer))}` : type.name,
      link: { typeId: type.id },
      parts: isObject(own) && level < MAX_LEVELS ? [stepOf(own, level + 1)] : [],
    };
  }

  const tree = options[REQUIREMENTS];
  const steps = isObject(tree) && hasHeld(tree) ? [stepOf(tree, 0)] : [];
  const needing = offers.filter((offer) => {
    const type = typeOf(offer.credentialTypeId);
    const own = mergedOptions(type?.customOptions ?? {}, offer.customOptions ?? {})[REQUIREMENTS];
    return isObject(own) && names(own, typeId, configurationId);
  });
  if (steps.length === 0 && needing.length === 0) return null;
  return (
    <section className="card padded stack">
      <h2>{words.stack}</h2>
      {steps.length > 0 && (
        <>
          <p className="small faint">{words.stackMeans}</p>
          <Picture label={words.stack} steps={steps} />
        </>
      )}
      {needing.length > 0 && (
        <>
          <h3>{words.requiredFor}</h3>
          <ul>
            {needing.map((each) => (
              <li key={each.id}>
                <Link to="/configurations/$id" params={{ id: String(each.id) }}>
                  <bdi>{each.credentialTypeName}</bdi> · <bdi>{contextOf(each)}</bdi>
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

/** Returns whether a tree requires a credential. */
function names(part: JsonObject, typeId: number, configurationId: number | undefined): boolean {
  if (!isObject(part.holds)) return partsOf(part).some((each) => names(each, typeId, configurationId));
  const { credential_type_id: type, configuration_id: offer } = part.holds;
  return type === typeId || (configurationId !== undefined && offer === configurationId);
}
