import { type FetchRegistry, type Registry, readRegistries } from "#formats/badges/registries.js";
import { quoted } from "#foundation/errors.js";
import type { Finding } from "./finding.js";

/** An issuer of badges, with the name that registries should show. */
interface NamedIssuer {
  readonly did: string;
  readonly name: string;
}

export interface RegistryCheck {
  /** URL of the list of registries. */
  readonly url: string;
  readonly issuers: readonly NamedIssuer[];
  readonly fetchAnswer: FetchRegistry;
}

/** Checks that registries list the issuers under the names in their badges. Verifiers query these registries. */
export async function* checkRegistries({
  url,
  issuers,
  fetchAnswer,
}: RegistryCheck): AsyncGenerator<Finding> {
  let registries: readonly Registry[];
  try {
    registries = await readRegistries(url, fetchAnswer);
  } catch (error) {
    yield { kind: "unanswered-registry", detail: (error as Error).message };
    return;
  }
  const silent = new Set<Registry>();
  for (const { did, name } of issuers) {
    let isListed = false;
    for (const registry of registries) {
      if (silent.has(registry)) continue;
      try {
        const found = await registry.find(did);
        if (found === undefined) continue;
        isListed = true;
        if (found.name !== name)
          yield {
            kind: "misnamed-issuer",
            detail: `${did}: its name is ${quoted(found.name)} in ${quoted(registry.name)}, but ${quoted(name)} in its badges`,
          };
      } catch (error) {
        silent.add(registry);
        yield {
          kind: "unanswered-registry",
          detail: `${quoted(registry.name)}: ${(error as Error).message}`,
        };
      }
    }
    if (!isListed) {
      const consulted = registries.filter((each) => !silent.has(each));
      const names = consulted.map((each) => quoted(each.name)).join(", ");
      yield {
        kind: "unlisted-issuer",
        detail: `${did}, ${quoted(name)}: it is not in ${names || "any registry that responds"}`,
      };
    }
  }
}
