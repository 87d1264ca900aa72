import { readFile } from "node:fs/promises";
import { Cron } from "croner";
import { z } from "zod";
import { failedPrecondition, type Problem } from "#foundation/errors.js";
import { readSettingsJson } from "#foundation/text/settings-json.js";
import type { ConnectorDriver } from "./driver.js";
import { fileOnlyNamesIn, secretNamesIn } from "./secret.js";

/** Settings of a connector from `CONNECTORS_FILE` or the console. */
export interface ConnectorSettings extends z.output<typeof common> {
  readonly driver: ConnectorDriver;
  readonly own: Record<string, unknown>;
  /**
   * Whether the connector was saved in the console. If so, its address is checked like any address that a user enters.
   */
  readonly isStored: boolean;
  /** False if the connector is only read on request. */
  readonly isEnabled: boolean;
}

export const common = z.object({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, "must have 1 to 40 lower-case letters, digits and `-`, a letter first"),
  type: z.string(),
  base_url: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      "must be a URL that starts with https://",
    )
    .refine((text) => !/[?#@\s]/.test(text), "must have no user, query or fragment: paths are appended to it")
    .transform((text) => text.replace(/\/+$/, "")),
  /** Off by default, because over http, anyone on the network could read tokens and names. */
  allow_http: z.boolean().default(false),
  courses: z
    .strictObject({
      include: z.array(z.string().min(1)).default(["*"]),
      exclude: z.array(z.string().min(1)).default([]),
      /** Whether to read only courses that have a configured credential, or are a step of a path that has one. */
      only_configured: z.boolean().default(true),
    })
    .prefault({}),
  /** A cron expression; if empty, sweeps run only on `connector sync`. */
  sweep: z.string().default("0 2 * * *"),
  time_zone: z.string().optional(),
  requests_per_minute: z.number().int().min(1).max(100_000).default(100),
  concurrency: z.number().int().min(1).max(32).default(2),
  withdraw_limit: z
    .strictObject({
      percent: z.number().min(0).max(100).default(2),
      count: z.number().int().min(0).max(1_000_000).default(50),
    })
    .prefault({}),
  /** Whether to erase learners whose accounts the platform has retired. */
  erase: z.enum(["retired", "never"]).default("retired"),
  /** Number of hours after a sweep during which credentials may be issued from the data of that sweep. */
  fresh_within_hours: z.number().positive().max(100_000).optional(),
});

const commonNames = Object.keys(common.shape);

/** Reads `CONNECTORS_FILE`. @throws Problem `failed-precondition` naming every invalid setting */
export async function readConnectors(
  path: string,
  drivers: readonly ConnectorDriver[],
): Promise<ConnectorSettings[]> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw broken(path, [`it can't be read: ${error.message}`], error);
  });
  let content: unknown;
  try {
    content = readSettingsJson(text);
  } catch (error) {
    throw broken(path, [`it is not JSON: ${(error as Error).message}`], error);
  }
  if (!Array.isArray(content)) throw broken(path, ["it must be a JSON list of connectors"]);
  const problems: string[] = [];
  const connectors = content.flatMap((entry, index) => {
    const read = readConnector(entry, drivers);
    if ("settings" in read) return [read.settings];
    problems.push(
      ...read.problems.map(({ name, message }) => `[${index}]${name === "" ? "" : `.${name}`}: ${message}`),
    );
    return [];
  });
  const ids = connectors.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) problems.push(`: two connectors have the id ${repeated}`);
  if (problems.length > 0) throw broken(path, problems);
  return connectors;
}

/** The settings, or their problems, each with the path of the setting. */
type ReadConnector =
  | { readonly settings: ConnectorSettings }
  | { readonly problems: readonly { readonly name: string; readonly message: string }[] };

function readConnector(entry: unknown, drivers: readonly ConnectorDriver[]): ReadConnector {
  if (typeof entry !== "object" || entry === null)
    return { problems: [{ name: "", message: "must be an object" }] };
  const driver = driverOf(entry, drivers);
  const secrets = driver ? secretNamesIn(driver.settings) : [];
  const given = Object.entries(entry);
  const inFiles = given.map(([name, value]) => {
    const secretName = secrets.find((each) => `${each}_file` === name);
    return secretName === undefined ? [name, value] : [secretName, value ? { file: value } : value];
  });
  const inPlain = given.filter(([name]) => secrets.includes(name));
  const read = readSettings(Object.fromEntries(inFiles), drivers, { isStored: false, isEnabled: true });
  const plain = inPlain.map(([name = ""]) => ({
    name,
    message: `set ${name}_file instead, to the path of a file that contains it`,
  }));
  if ("settings" in read) return plain.length > 0 ? { problems: plain } : read;
  const names = new RegExp(`\\b(${secrets.join("|")})\\b(?!_)`, "g");
  const withFiles = (text: string) => (secrets.length > 0 ? text.replaceAll(names, "$1_file") : text);
  const others = read.problems.map(({ name, message }) => ({
    name: withFiles(name),
    message: withFiles(message),
  }));
  return { problems: [...plain, ...others] };
}

/**
 * Settings that are not options in the console: the first three have their own fields, and only operators may allow
 * http.
 */
export const NO_OPTIONS: readonly string[] = ["id", "type", "base_url", "allow_http"];

export interface StoredConnector {
  readonly id: string;
  readonly type: string;
  readonly baseUrl: string;
  /** All other settings except secrets. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly isEnabled: boolean;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Reads the settings of a stored connector. They can't name files, because an administrator of the console must not
 * read files of the server.
 */
export function readStoredConnector(
  { id, type, baseUrl, options, isEnabled, secrets }: StoredConnector,
  drivers: readonly ConnectorDriver[],
): ReadConnector {
  const driver = driverOf({ type }, drivers);
  const secretNames = driver ? secretNamesIn(driver.settings) : [];
  const refused = [...NO_OPTIONS, ...secretNames, ...(driver ? fileOnlyNamesIn(driver.settings) : [])];
  const refusalOf = (name: string) => {
    if (secretNames.includes(name)) return "must be set in secrets";
    const hasField = NO_OPTIONS.includes(name) && name !== "allow_http";
    return hasField ? `must be set in connector.${name}` : "can only be set in CONNECTORS_FILE";
  };
  const problems = namesIn(options)
    .filter((name) => refused.includes(name) || name.endsWith("_file"))
    .map((name) => ({ name, message: refusalOf(name) }));
  const unknown = Object.keys(secrets).filter((name) => !secretNames.includes(name));
  problems.push(...unknown.map((name) => ({ name, message: `is not a secret of ${type}` })));
  if (problems.length > 0) return { problems };
  const values = Object.entries(secrets).map(([name, value]) => [name, { value }]);
  // `allow_http` is true here, because requests without TLS are checked when they are sent. They are refused unless
  // they go to a network that the settings allow.
  const entry = { id, type, base_url: baseUrl, allow_http: true, ...options, ...Object.fromEntries(values) };
  return readSettings(entry, drivers, { isStored: true, isEnabled });
}

/** Returns the names of all settings. The names of settings in groups contain dots. */
function namesIn(options: object, path = ""): string[] {
  return Object.entries(options).flatMap(([name, value]) => [
    path + name,
    ...(typeof value === "object" && value !== null ? namesIn(value, `${path}${name}.`) : []),
  ]);
}

export function driverOf(entry: object, drivers: readonly ConnectorDriver[]): ConnectorDriver | undefined {
  return drivers.find(({ name }) => name === (entry as { type?: unknown }).type);
}

function readSettings(
  entry: object,
  drivers: readonly ConnectorDriver[],
  origin: Pick<ConnectorSettings, "isStored" | "isEnabled">,
): ReadConnector {
  const entries = Object.entries(entry);
  const shared = common.safeParse(Object.fromEntries(entries.filter(([name]) => commonNames.includes(name))));
  const driver = driverOf(entry, drivers);
  const own = driver?.settings
    .strict()
    .safeParse(Object.fromEntries(entries.filter(([name]) => !commonNames.includes(name))));
  const problems = [...(shared.error?.issues ?? []), ...(own?.error?.issues ?? [])].map(
    ({ path, message }) => ({ name: path.join("."), message }),
  );
  if (!driver)
    problems.push({ name: "type", message: `must be one of ${drivers.map(({ name }) => name).join(", ")}` });
  if (shared.data) problems.push(...problemsIn({ ...own?.data, ...shared.data }));
  if (problems.length > 0 || !shared.data || !own?.data || !driver) return { problems };
  return { settings: { ...shared.data, driver, own: own.data, ...origin } };
}

function problemsIn(settings: z.output<typeof common>): { name: string; message: string }[] {
  const { allow_http, sweep, time_zone } = settings;
  const problems: { name: string; message: string }[] = [];
  for (const [name, value] of Object.entries(settings))
    if (typeof value === "string" && value.startsWith("http:") && !allow_http)
      problems.push({
        name,
        message: "must start with https://, otherwise anyone on the network can read names and tokens",
      });
  try {
    if (sweep !== "") new Cron(sweep, { timezone: time_zone ?? "UTC", paused: true }).nextRun();
  } catch {
    const message = "must be a cron expression such as `0 2 * * *`, and time_zone an IANA time zone";
    problems.push({ name: "sweep", message });
  }
  return problems;
}

function broken(path: string, problems: readonly string[], cause?: unknown): Problem {
  const list = problems.map((problem) => `${path}${/^[.[:]/.test(problem) ? "" : ": "}${problem}`).join("\n");
  return failedPrecondition(`CONNECTORS_FILE can't be used:\n${list}`, { cause });
}

/** Returns a refinement: settings must have either `token` or all of the other settings. */
export function tokenOr(
  ...others: readonly string[]
): [
  isEither: (settings: Readonly<Record<string, unknown>>) => boolean,
  refusal: { path: string[]; message: string },
] {
  const isEither = (settings: Readonly<Record<string, unknown>>) =>
    others.every((name) => (settings[name] === undefined) === (settings.token !== undefined));
  const list = `${others.slice(0, -1).join(", ")} and ${others.at(-1)}`;
  return [isEither, { path: ["token"], message: `set either token, or ${list}` }];
}

/** Returns whether the key matches the pattern, in which `*` matches any text. */
export function fits(key: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "u").test(key);
}
