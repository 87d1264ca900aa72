import { pathToFileURL } from "node:url";
import { builtInProcessors, type Processor } from "./eligibility/processor.js";
import { Problem } from "./errors.js";
import type { Generator } from "./rendering/generator.js";
import { builtInGenerators } from "./rendering/registry.js";

/** What a module brings: the service's own functions come in the same form. */
export interface Plugin {
  readonly processors?: readonly Processor[];
  readonly generators?: readonly Generator[];
}

/** All functions of this service, and the modules that rendering threads load, too. */
export interface Plugins {
  readonly processors: readonly Processor[];
  readonly generators: readonly Generator[];
  /** URLs. */
  readonly modules: readonly string[];
}

const builtIns: Plugin = { processors: builtInProcessors, generators: builtInGenerators };

/** `<module_path>.<function_name>` */
const dottedPath = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/;

/**
 * Loads ES modules that export `processors`, `generators` or both.
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
    modules,
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
  const { processors = [], generators = [] } = plugin;
  if (
    !Array.isArray(processors) ||
    !Array.isArray(generators) ||
    processors.length + generators.length === 0
  ) {
    throw broken(specifier, "it must export `processors`, `generators` or both, as lists that are not empty");
  }
  for (const processor of processors) checkFunction(specifier, processor, "criteria");
  for (const generator of generators) checkFunction(specifier, generator, "render");
  return plugin;
}

function refuseTakenNames(plugins: readonly Plugin[], specifiers: readonly string[]): void {
  const taken = new Set<string>();
  plugins.forEach(({ processors = [], generators = [] }, index) => {
    for (const { name } of [...processors, ...generators]) {
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
  const name = String(fn?.name);
  if (!dottedPath.test(name)) {
    throw broken(
      specifier,
      `the name ${JSON.stringify(name)} is no dotted path, such as my_module.my_function`,
    );
  }
  if (typeof fn.summary !== "string") throw broken(specifier, `${name} has no summary`);
  if (typeof fn.options?.shape !== "object")
    throw broken(specifier, `${name} has no \`options\`, a Zod object schema`);
  if (typeof fn[method] !== "function") throw broken(specifier, `${name} has no method \`${method}\``);
}

function broken(specifier: string, reason: unknown): Problem {
  const text = reason instanceof Error ? reason.message : String(reason);
  return new Problem(
    "failed-precondition",
    `The plug-in ${specifier} (LEARNING_CREDENTIALS_PLUGINS) can't be used: ${text}.`,
    { cause: reason },
  );
}
