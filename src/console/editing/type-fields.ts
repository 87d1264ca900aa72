import { type CredentialType, CredentialTypeSchema } from "#gen/learning_credentials/v1/configuration_pb.js";
import { optionsIn, optionsText } from "../options/read-options.js";
import type { EditedFields, Version } from "./version.js";

export function fieldsOf({
  name = "",
  retrievalFunc = "",
  generationFunc = "",
  customOptions,
}: Partial<CredentialType>): EditedFields & { readonly name: string } {
  return { name, retrievalFunc, generationFunc, options: optionsText(customOptions) };
}

export function versionOf(type: CredentialType): Version {
  return { etag: type.etag, fields: fieldsOf(type) };
}

export function typeOf({ name = "", retrievalFunc = "", generationFunc = "", options }: EditedFields) {
  return { name, retrievalFunc, generationFunc, customOptions: optionsIn(options) };
}

/**
 * The update mask of the fields that can be edited. Other fields remain unchanged, even if the console doesn't know
 * them.
 */
export const editedPaths = Object.keys(typeOf({ options: "{}" })).map(
  (field) => CredentialTypeSchema.field[field as keyof ReturnType<typeof typeOf>].name,
);
