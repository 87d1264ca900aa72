import { z } from "zod";
import { invalidField } from "#foundation/errors.js";

/** An option of a setting, for a form. */
export interface SettingOption {
  readonly name: string;
  readonly kind: "text" | "secret";
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** undefined if there is none. */
  readonly defaultValue: unknown;
}

/** The result of one check, in English. */
export interface SettingCheck {
  readonly what: string;
  readonly outcome: "ok" | "warning" | "failed";
  readonly text: string;
}

/** A setting of the service that administrators can save in the console. */
export interface ServiceSettingType<T> {
  readonly name: string;
  readonly options: readonly SettingOption[];
  /** The value from the environment, which overrides what is saved. undefined: it isn't set there */
  readonly given: T | undefined;
  /** The variables that set it in the environment. */
  readonly variables: readonly string[];
  /** URLs of this service to enter at the other system. */
  readonly ownUrls: readonly string[];
  /** @throws Problem `invalid` naming the option */
  read(options: Readonly<Record<string, unknown>>, secrets: Readonly<Record<string, string>>): T;
  /** Returns the addresses to which secrets are sent. */
  addressesOf(options: Readonly<Record<string, unknown>>): unknown;
  /** Checks a value with the systems that it names. */
  check(value: T): Promise<readonly SettingCheck[]>;
}

/** An option: how its form shows it, and what it accepts. */
type OptionSchema = readonly [kind: SettingOption["kind"], schema: z.ZodType];

/** Returns the options for a form, and the function that reads values. */
export function settingOptions<S extends Readonly<Record<string, OptionSchema>>>(table: S) {
  const schema = z.strictObject(
    Object.fromEntries(Object.entries(table).map(([name, [, each]]) => [name, each])),
  );
  const isSecret = (name: string) => table[name]?.[0] === "secret";
  const options = Object.entries(table).map(([name, [kind, each]]): SettingOption => {
    const unset = each.safeParse(undefined);
    return { name, kind, isRequired: !unset.success, choices: [], defaultValue: unset.data };
  });
  return {
    options,
    /** @throws Problem `invalid` naming the option */
    read(values: object, secrets: object): { [N in keyof S]: z.output<S[N][1]> } {
      const misplaced =
        Object.keys(values).find(isSecret) ?? Object.keys(secrets).find((name) => !isSecret(name));
      if (misplaced !== undefined)
        throw invalidField(
          `options.${misplaced}`,
          isSecret(misplaced)
            ? `options.${misplaced} is a secret: pass it in secrets.`
            : `secrets.${misplaced} isn't a secret of this setting: pass it in options.`,
        );
      const { data, error } = schema.safeParse({ ...values, ...secrets });
      const [issue] = error?.issues ?? [];
      if (!issue) return data as { [N in keyof S]: z.output<S[N][1]> };
      const name = String(issue.code === "unrecognized_keys" ? issue.keys[0] : issue.path[0]);
      const field = `${isSecret(name) ? "secrets" : "options"}.${name}`;
      const what =
        issue.code === "unrecognized_keys" ? "is unknown" : describe(issue, { ...values, ...secrets }, name);
      throw invalidField(field, `${field} ${what}.`);
    },
  };
}

function describe({ message }: { readonly message: string }, values: object, name: string): string {
  return Object.hasOwn(values, name) ? message : "must be set";
}
