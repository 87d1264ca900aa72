import { quoted, wrongField } from "#foundation/errors.js";
import type { ConfigurableFunction } from "./options.js";

export interface Functions<
  Retrieval extends ConfigurableFunction = ConfigurableFunction,
  Generation extends ConfigurableFunction = ConfigurableFunction,
> {
  /** @throws Problem `invalid` if there is no such function, with a list of the functions */
  retrieval(name: string): Retrieval;
  generation(name: string): Generation;
  list(): { kind: "retrieval" | "generation"; fn: ConfigurableFunction }[];
}

/** Creates the registry of functions. Their names must be unique, which `loadPlugins` ensures. */
export function createFunctions<R extends ConfigurableFunction, G extends ConfigurableFunction>(
  retrieval: readonly R[],
  generation: readonly G[],
): Functions<R, G> {
  const retrievals = byName(retrieval);
  const generations = byName(generation);
  return {
    retrieval: (name) => find(retrievals, "retrieval_func", name),
    generation: (name) => find(generations, "generation_func", name),
    list: () =>
      [
        ...retrieval.map((fn) => ({ kind: "retrieval" as const, fn })),
        ...generation.map((fn) => ({ kind: "generation" as const, fn })),
      ].sort((a, b) => (a.fn.name < b.fn.name ? -1 : 1)),
  };
}

function byName<F extends ConfigurableFunction>(functions: readonly F[]): Map<string, F> {
  return new Map(functions.map((fn) => [fn.name, fn]));
}

function find<F>(functions: Map<string, F>, field: string, name: string): F {
  const fn = functions.get(name);
  if (fn) return fn;
  throw wrongField(
    field,
    `is ${quoted(name)}, which does not exist. Available: ${[...functions.keys()].sort().join(", ")}.`,
  );
}
