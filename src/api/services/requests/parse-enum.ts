import type { DescEnum } from "@bufbuild/protobuf";
import { wrongField } from "#foundation/errors.js";

/**
 * Returns the domain name for an enum value of the API.
 * @param type names the values in the error
 * @throws Problem `invalid` if no name has this value
 */
export function parseEnum<Name extends string>(
  field: string,
  presented: Readonly<Record<Name, number>>,
  number: number,
  type: DescEnum,
): Name {
  const names = Object.keys(presented) as Name[];
  const found = names.find((name) => presented[name] === number);
  if (found !== undefined) return found;
  const apiName = (value: number) => type.value[value]?.name ?? value;
  const known = names.map((name) => apiName(presented[name])).join(", ");
  throw wrongField(field, `is ${apiName(number)}; it must be one of ${known}.`);
}
