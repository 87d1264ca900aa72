import { pdfCredentialGenerator } from "../design/pdf-credential.js";
import type { Generator } from "../generator.js";

/** The generation functions that this service knows, by dotted name. */
export interface GeneratorRegistry {
  find(name: string): Generator | undefined;
  /** Lists all of them, sorted by name. */
  list(): Generator[];
}

/** The generators that ship with the service. */
export const builtInGenerators: readonly Generator[] = [pdfCredentialGenerator];

/** @throws Error if two generators have the same name. */
export function createGeneratorRegistry(
  generators: readonly Generator[] = builtInGenerators,
): GeneratorRegistry {
  const byName = new Map<string, Generator>();
  for (const generator of generators) {
    if (byName.has(generator.name)) {
      throw new Error(`Two generators are named "${generator.name}"; each needs a name of its own.`);
    }
    byName.set(generator.name, generator);
  }
  const sorted = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { find: (name) => byName.get(name), list: () => [...sorted] };
}
