import type { CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import type { EditedFields } from "../editing/version.js";
import { optionsIn, optionsText } from "../options/read-options.js";

/** Returns the editable fields of a type. */
export function fieldsOf(
  type: Pick<CredentialType, "name" | "retrievalFunc" | "generationFunc" | "customOptions">,
): EditedFields {
  const { name, retrievalFunc, generationFunc, customOptions } = type;
  return { name, retrievalFunc, generationFunc, options: optionsText(customOptions) };
}

/** Returns the type from the edited fields. */
export function typeOf({ name = "", retrievalFunc = "", generationFunc = "", options }: EditedFields) {
  return { name, retrievalFunc, generationFunc, customOptions: optionsIn(options) };
}
