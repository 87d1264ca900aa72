import { createHash } from "node:crypto";
import type { ExternalCredential } from "./import-store.js";

/**
 * Creates a function that compares a credential with the earlier ones of the same dry run, which the database doesn't
 * contain.
 * @returns a conflict, or whether the credential repeats an earlier one
 */
export function createComparison(): (
  external: ExternalCredential,
) => { readonly conflict: string } | { readonly isRepeated: boolean } {
  /** Digests by verification UUID. */
  const contents = new Map<string, string>();
  /** Verification UUIDs by each value that only one credential may have. */
  const holders = new Map<string, string>();
  return (external) => {
    const { verifyUuid } = external;
    const content = digestOf(external);
    const known = contents.get(verifyUuid);
    if (known !== undefined && known !== content)
      return { conflict: "the same verification UUID, and different content" };
    const unique = uniqueParts(external);
    const taken = unique.find(({ key }) => (holders.get(key) ?? verifyUuid) !== verifyUuid);
    if (taken) return { conflict: taken.text };
    const isRepeated = known !== undefined && unique.every(({ key }) => holders.has(key));
    contents.set(verifyUuid, content);
    for (const { key } of unique) holders.set(key, verifyUuid);
    return { isRepeated };
  };
}

/** Returns the values that only one credential may have, besides the verification UUID. */
function uniqueParts(external: ExternalCredential): { readonly key: string; readonly text: string }[] {
  const { uuid, aliases, username, learningContextKey, credentialType, invalidated } = external;
  const active = {
    key: `active ${username}\0${learningContextKey}\0${credentialType}`,
    text: "the same learner, context and type, and is not INVALIDATED",
  };
  return [
    ...(uuid === null ? [] : [{ key: `uuid ${uuid}`, text: `the UUID ${uuid}` }]),
    ...aliases.map((alias) => ({ key: `alias ${alias}`, text: `the code ${alias}` })),
    ...(invalidated ? [] : [active]),
  ];
}

/** An import may add aliases to a credential, so they are not part of its content. */
function digestOf({ aliases: _, file, ...content }: ExternalCredential): string {
  return createHash("sha256")
    .update(JSON.stringify(content))
    .update(file ?? "")
    .digest("base64");
}
