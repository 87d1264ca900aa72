import { pathToFileURL } from "node:url";
import type { ConnectorDriver } from "#domain/connectors/driver/driver.js";
import { builtInProcessors, type Processor } from "#domain/eligibility/processor.js";
import type { Signer } from "#formats/badges/signer.js";
import { builtInGenerators } from "#formats/rendering/engine/built-in-generators.js";
import type { Generator } from "#formats/rendering/generator.js";
import { failedPrecondition, type Problem } from "#foundation/errors.js";

/** What a module may export. The service's own functions have the same form. */
export interface Plugin {
  readonly processors?: readonly Processor[];
  readonly generators?: readonly Generator[];
  readonly signers?: readonly Signer[];
  /** Types of platforms that connectors can read. */
  readonly connectors?: readonly ConnectorDriver[];
}

/** All functions of this service and its plug-ins. */
export interface Plugins extends Required<Plugin> {
  /** URLs of the modules that rendering threads also load. */
  readonly modules: readonly string[];
}

/** Connectors are not included, because their many modules are loaded only when there is a connector. */
const builtIns: Plugin = { processors: builtInProcessors, generators: builtInGenerators };

/** What each exported item needs besides a name and a summary: a Zod schema, a method, or both. */
const shapes = {
  processors: { schema: "options", method: "criteria" },
  generators: { schema: "options", method: "render" },
  signers: { schema: undefined, method: "open" },
  connectors: { schema: "settings", method: "open" },
} as const;

const kinds = Object.keys(shapes) as (keyof Plugin)[];

/** `<module_path>.<function_name>` */
const dottedPath = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/;

/**
 * Loads ES modules that export `processors`, `generators`, `signers` or `connectors`.
 * @param specifiers package names, or paths relative to the working directory
 * @throws Problem `failed-precondition` that names the module and the reason
 */
export async function loadPlugins(specifiers: readonly string[]): Promise<Plugins> {
  const modules = specifiers.map(toUrl);
  const loaded = await Promise.all(modules.map((url, index) => load(url, specifiers[index] as string)));
  const all = [builtIns, ...loaded];
  refuseTakenNames(all, ["", ...specifiers]);
  return {
    processors: all.flatMap(({ processors = [] }) => processors),
    generators: all.flatMap(({ generators = [] }) => generators),
    signers: all.flatMap(({ signers = [] }) => signers),
    connectors: all.flatMap(({ connectors = [] }) => connectors),
    // Only modules with generators are loaded into rendering threads.
    modules: modules.filter((_, index) => (loaded[index]?.generators?.length ?? 0) > 0),
  };
}

function toUrl(specifier: string): string {
  if (/^[./]/.test(specifier)) return pathToFileURL(specifier).href;
  try {
    return import.meta.resolve(specifier);
  } catch (error) {
    throw broken(specifier, error);
  }
}

async function load(url: string, specifier: string): Promise<Plugin> {
  const plugin: Plugin = await import(url).catch((error) => {
    throw broken(specifier, error);
  });
  const lists = kinds.map((kind) => plugin[kind] ?? []);
  if (!lists.every(Array.isArray) || lists.every(({ length }) => length === 0)) {
    throw broken(
      specifier,
      "it must export `processors`, `generators`, `signers` or `connectors`, as lists that are not empty",
    );
  }
  for (const kind of kinds) for (const each of plugin[kind] ?? []) check(specifier, each, shapes[kind]);
  return plugin;
}

function refuseTakenNames(plugins: readonly Plugin[], specifiers: readonly string[]): void {
  const taken = new Set<string>();
  plugins.forEach((plugin, index) => {
    for (const { name } of kinds.flatMap<{ readonly name: string }>((kind) => plugin[kind] ?? [])) {
      if (taken.has(name)) throw broken(String(specifiers[index]), `the name ${name} is taken`);
      taken.add(name);
    }
  });
}

function check(
  specifier: string,
  candidate: object,
  { schema, method }: (typeof shapes)[keyof typeof shapes],
): void {
  const each = candidate as Readonly<Record<string, { readonly shape?: unknown } | undefined>>;
  const name = String(each?.name);
  if (!dottedPath.test(name)) {
    throw broken(
      specifier,
      `the name ${JSON.stringify(name)} is not a dotted path, such as my_module.my_function`,
    );
  }
  if (typeof each.summary !== "string") throw broken(specifier, `${name} has no summary`);
  if (schema !== undefined && typeof each[schema]?.shape !== "object")
    throw broken(specifier, `${name} has no \`${schema}\`, a Zod object schema`);
  if (typeof each[method] !== "function") throw broken(specifier, `${name} has no method \`${method}\``);
}

function broken(specifier: string, reason: unknown): Problem {
  const text = reason instanceof Error ? reason.message : String(reason);
  return failedPrecondition(
    `The plug-in ${specifier} (LEARNING_CREDENTIALS_PLUGINS) can't be used: ${text}.`,
    { cause: reason },
  );
}
