import type { DescEnum } from "@bufbuild/protobuf";
import { wrongField } from "#foundation/errors.js";

/**
 * Returns the domain name of an enum value of the API.
 * @param type the enum, whose value names are listed in the error
 * @throws Problem `invalid` if the value has no domain name
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
  const allowed = names.map((name) => apiName(presented[name])).join(", ");
  throw wrongField(field, `is ${apiName(number)}; it must be one of ${allowed}.`);
}

/** Like `parseEnum`, but returns undefined if the value isn't set. */
export function parseOptionalEnum<Name extends string>(
  ...enumValue: Parameters<typeof parseEnum<Name>>
): Name | undefined {
  return enumValue[2] === 0 ? undefined : parseEnum(...enumValue);
}

type NumbersByName<Values> = {
  readonly [Name in Exclude<keyof Values & string, "UNSPECIFIED"> as Lowercase<Name>]: Values[Name];
};

/** Returns the numbers of an API enum by the lower-case names of its values. Omits `UNSPECIFIED`. */
export function numbersByName<Values extends Readonly<Record<string, string | number>>>(
  values: Values,
): NumbersByName<Values> {
  // At run time, an enum also contains its names by number.
  const entries = Object.entries(values).filter(
    ([name, number]) => typeof number === "number" && name !== "UNSPECIFIED",
  );
  const named = entries.map(([name, number]) => [name.toLowerCase(), number]);
  return Object.fromEntries(named) as NumbersByName<Values>;
}
