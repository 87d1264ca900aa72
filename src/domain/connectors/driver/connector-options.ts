import { z } from "zod";
import { isObject } from "#foundation/text/is-object.js";
import { common, NO_OPTIONS } from "./connector-settings.js";
import type { ConnectorDriver } from "./driver.js";
import { fileOnlyNamesIn } from "./secret.js";

export type OptionKind = "text" | "number" | "boolean" | "choice" | "texts" | "secret" | "json";

export interface ConnectorOption {
  /** The name of an option in a group begins with the group, for example `courses.include`. */
  readonly name: string;
  readonly kind: OptionKind;
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** Undefined if the option has no default. */
  readonly defaultValue: unknown;
}

/** Returns the options that can be set in the console: those of the driver, followed by those of all connectors. */
export function optionsOf(driver: ConnectorDriver): ConnectorOption[] {
  return [
    ...readSchema(driver.settings, fileOnlyNamesIn(driver.settings)),
    ...readSchema(common, NO_OPTIONS),
  ].filter(({ name }) => !name.endsWith("_file"));
}

function readSchema(schema: z.ZodObject, without: readonly string[]): ConnectorOption[] {
  const shown = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return readProperties(shown, "").filter(({ name }) => !without.some((each) => each === name.split(".")[0]));
}

function readProperties(schema: Readonly<Record<string, unknown>>, path: string): ConnectorOption[] {
  const { properties, required } = schema;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    if (isObject(property.properties)) return readProperties(property, `${path}${name}.`);
    return [
      {
        name: `${path}${name}`,
        kind: kindOf(property),
        isRequired: names.includes(name),
        choices: Array.isArray(property.enum) ? property.enum.map(String) : [],
        defaultValue: property.default,
      },
    ];
  });
}

function kindOf({ isSecret, type, items, ...property }: Readonly<Record<string, unknown>>): OptionKind {
  if (isSecret === true) return "secret";
  if (Array.isArray(property.enum)) return "choice";
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "boolean";
  return type === "array" && isObject(items) && items.type === "string" ? "texts" : "json";
}
