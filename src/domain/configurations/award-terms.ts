import { isDeepStrictEqual } from "node:util";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type { CredentialType } from "./credential-type.js";
import { ISSUE_WHEN_EARNED } from "./issue-when-earned-option.js";
import { type ConfigurableFunction, type Options, REQUIRED_STEPS, STEPS } from "./options.js";

/** Options that determine when credentials are issued or renewed. Every type has them. */
const ISSUING = ["validity", "renewal_window", "renew_on", ISSUE_WHEN_EARNED];

/** A type before or after an edit, with the options of one configuration. */
interface Terms {
  readonly type: Pick<CredentialType, "retrievalFunc" | "customOptions">;
  readonly ownOptions: Options;
}

/**
 * Returns whether runs issue to the same learners before and after the edit.
 * @param retrieval the retrieval function in `after`
 */
export function awardsSame(retrieval: ConfigurableFunction, before: Terms, after: Terms): boolean {
  if (before.type.retrievalFunc !== after.type.retrievalFunc) return false;
  const [first, second] = [merged(before), merged(after)];
  return [...Object.keys(retrieval.options.shape), STEPS, REQUIRED_STEPS, ...ISSUING].every((name) =>
    isDeepStrictEqual(first[name], second[name]),
  );
}

function merged({ type, ownOptions }: Terms): Options {
  return mergeOptions(type.customOptions, ownOptions);
}
