import { z } from "zod";
import { invalidField } from "#foundation/errors.js";

export interface SettingOption {
  readonly name: string;
  readonly kind: "text" | "number" | "choice" | "secret";
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** Whether the option determines where secrets are sent or how they are protected in transit. */
  readonly isAddress: boolean;
  readonly defaultValue: unknown;
}

/** The result of one check. Texts are in English. */
export interface SettingCheck {
  readonly what: string;
  readonly outcome: "ok" | "warning" | "failed";
  /** The result and how to fix it. */
  readonly text: string;
  /** Identifies the result, for translations. */
  readonly reason?: string;
  /** A part of the result that needs no translation: a name, or a message from the other system. */
  readonly detail?: string;
}

export interface CheckRequest {
  /** Email address for a test email; undefined to send none. */
  readonly recipient: string | undefined;
}

/** A setting of the service that administrators can save in the console. */
export interface ServiceSettingType<T> {
  readonly name: string;
  readonly options: readonly SettingOption[];
  /** The value from the environment if `variables` is not empty; otherwise the default. undefined if there is none. */
  readonly fromEnvironment: T | undefined;
  /** The environment variables that are set for this setting. They override the saved value. */
  readonly variables: readonly string[];
  /** URLs of this service that have to be entered in the other system. */
  readonly ownUrls: readonly string[];
  /** @throws Problem `invalid` that names the option */
  read(options: Readonly<Record<string, unknown>>, secrets: Readonly<Record<string, string>>): T;
  /** Checks a value by connecting to the systems that it refers to. */
  check(value: T, request: CheckRequest): Promise<readonly SettingCheck[]>;
}

/** Returns the values that determine where secrets are sent. */
export function addressesOf(
  { options }: Pick<ServiceSettingType<unknown>, "options">,
  values: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  return options
    .filter(({ isAddress }) => isAddress)
    .map((option) => values[option.name] ?? option.defaultValue);
}

/** Makes a schema optional. An empty text is treated as undefined. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

export const settingText = z.string().min(1, "must be set").max(1000, "must have at most 1000 characters");

/** How the form shows an option, and which values the option accepts. */
type OptionSchema = readonly [
  kind: SettingOption["kind"],
  schema: z.ZodType,
  more?: Partial<Pick<SettingOption, "choices" | "isAddress">>,
];

/** Returns the options for a form, and the function that reads values. */
export function settingOptions<S extends Readonly<Record<string, OptionSchema>>>(table: S) {
  const schema = z.strictObject(
    Object.fromEntries(Object.entries(table).map(([name, [, each]]) => [name, each])),
  );
  const isSecret = (name: string) => table[name]?.[0] === "secret";
  const options = Object.entries(table).map(([name, [kind, each, more]]): SettingOption => {
    const unset = each.safeParse(undefined);
    return {
      name,
      kind,
      isRequired: !unset.success,
      choices: [],
      isAddress: false,
      defaultValue: unset.data,
      ...more,
    };
  });
  return {
    options,
    /** @throws Problem `invalid` that names the option */
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
