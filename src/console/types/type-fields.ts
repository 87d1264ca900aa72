import type { CredentialType } from "../../../gen/learning_credentials/v1/configuration_pb.js";
import type { EditorField } from "../editing/editor.js";
import { optionsText, readOptions } from "../editing/options/read-options.js";
import type { useFunctions } from "../editing/use-functions.js";
import type { EditedFields } from "../editing/version.js";
import type { DesigningWording } from "../languages/en/designing.js";

/** What the form of a type has beside its options. */
export function typeFields(
  words: DesigningWording,
  { retrieval, generation, summaryOf }: ReturnType<typeof useFunctions>,
): readonly EditorField[] {
  return [
    { name: "name", label: words.name },
    { name: "retrievalFunc", label: words.eligibility, choices: retrieval, helpOf: summaryOf },
    { name: "generationFunc", label: words.design, choices: generation, helpOf: summaryOf },
  ];
}

/** A type as it is shown to be edited. */
export function fieldsOf(
  type: Pick<CredentialType, "name" | "retrievalFunc" | "generationFunc" | "customOptions">,
): EditedFields {
  const { name, retrievalFunc, generationFunc, customOptions } = type;
  return { name, retrievalFunc, generationFunc, options: optionsText(customOptions) };
}

/** The type that was typed. Options that can't be read count as none. */
export function typeOf({ name = "", retrievalFunc = "", generationFunc = "", options }: EditedFields) {
  const read = readOptions(options);
  const customOptions = read.kind === "options" ? read.options : {};
  return { name, retrievalFunc, generationFunc, customOptions };
}
