import { pathToFileURL } from "node:url";
import type { Signer } from "./badges/signer.js";
import { builtInConnectors } from "./connectors/built-in-connectors.js";
import type { ConnectorDriver } from "./connectors/driver/driver.js";
import { builtInProcessors, type Processor } from "./eligibility/processor.js";
import { Problem } from "./errors.js";
import { builtInGenerators } from "./rendering/engine/built-in-generators.js";
import type { Generator } from "./rendering/generator.js";

/** The exports of a module. The service's own functions have the same form. */
export interface Plugin {
  readonly processors?: readonly Processor[];
  readonly generators?: readonly Generator[];
  readonly signers?: readonly Signer[];
  /** Kinds of platforms that connectors can read. */
  readonly connectors?: readonly ConnectorDriver[];
}

/** All functions of this service, and the modules that rendering threads load, too. */
export interface Plugins {
  readonly processors: readonly Processor[];
  readonly generators: readonly Generator[];
  readonly signers: readonly Signer[];
  readonly connectors: readonly ConnectorDriver[];
  /** URLs. */
  readonly modules: readonly string[];
}

const builtIns: Plugin = { processors: builtInProcessors, generators: builtInGenerators };

/** `<module_path>.<function_name>` */
const dottedPath = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/;

/**
 * Loads ES modules that export `processors`, `generators`, `signers` or `connectors`.
 * @param specifiers package names, or paths from the working directory
 * @throws Problem `failed-precondition` naming the module and what is wrong with it
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
    connectors: [...builtInConnectors, ...loaded.flatMap(({ connectors = [] }) => connectors)],
    // Modules that only sign are not loaded into rendering threads.
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
  const { processors = [], generators = [], signers = [], connectors = [] } = plugin;
  const lists = [processors, generators, signers, connectors];
  if (!lists.every(Array.isArray) || lists.every(({ length }) => length === 0)) {
    throw broken(
      specifier,
      "it must export `processors`, `generators`, `signers` or `connectors`, as lists that are not empty",
    );
  }
  for (const processor of processors) checkFunction(specifier, processor, "criteria");
  for (const generator of generators) checkFunction(specifier, generator, "render");
  for (const signer of signers) checkSigner(specifier, signer);
  for (const connector of connectors) checkConnector(specifier, connector);
  return plugin;
}

function refuseTakenNames(plugins: readonly Plugin[], specifiers: readonly string[]): void {
  const taken = new Set<string>();
  plugins.forEach(({ processors = [], generators = [], signers = [], connectors = [] }, index) => {
    for (const { name } of [...processors, ...generators, ...signers, ...connectors]) {
      if (taken.has(name)) throw broken(String(specifiers[index]), `the name ${name} is taken`);
      taken.add(name);
    }
  });
}

function checkFunction(
  specifier: string,
  fn: Partial<Processor & Generator>,
  method: "criteria" | "render",
): void {
  const name = checkName(specifier, fn);
  if (typeof fn.options?.shape !== "object")
    throw broken(specifier, `${name} has no \`options\`, a Zod object schema`);
  if (typeof fn[method] !== "function") throw broken(specifier, `${name} has no method \`${method}\``);
}

function checkSigner(specifier: string, signer: Partial<Signer>): void {
  const name = checkName(specifier, signer);
  if (typeof signer.open !== "function") throw broken(specifier, `${name} has no method \`open\``);
}

function checkConnector(specifier: string, driver: Partial<ConnectorDriver>): void {
  const name = checkName(specifier, driver);
  if (typeof driver.settings?.shape !== "object")
    throw broken(specifier, `${name} has no \`settings\`, a Zod object schema`);
  if (typeof driver.open !== "function") throw broken(specifier, `${name} has no method \`open\``);
}

function checkName(specifier: string, named: { readonly name?: string; readonly summary?: string }): string {
  const name = String(named?.name);
  if (!dottedPath.test(name)) {
    throw broken(
      specifier,
      `the name ${JSON.stringify(name)} is not a dotted path, such as my_module.my_function`,
    );
  }
  if (typeof named.summary !== "string") throw broken(specifier, `${name} has no summary`);
  return name;
}

function broken(specifier: string, reason: unknown): Problem {
  const text = reason instanceof Error ? reason.message : String(reason);
  return new Problem(
    "failed-precondition",
    `The plug-in ${specifier} (LEARNING_CREDENTIALS_PLUGINS) can't be used: ${text}.`,
    { cause: reason },
  );
}
