import { invalidField } from "#foundation/errors.js";

/** Secrets as they are entered: an empty one is removed, and those not named stay. */
export type SecretEntries = Readonly<Record<string, string>>;

/** Returns the secrets that were entered. */
export function enteredSecrets(secrets: SecretEntries): SecretEntries {
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ""));
}

/** Returns what changes: the new values, and null for secrets to remove. */
export function secretChanges(secrets: SecretEntries): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, value === "" ? null : value]),
  );
}

/** Returns the names of stored secrets that stay. */
export function keptSecrets(stored: object, secrets: SecretEntries): string[] {
  return Object.keys(stored).filter((name) => secrets[name] === undefined);
}

/**
 * Secrets that were entered for one address aren't sent to another, where someone could collect them.
 * @param before the addresses for which they were entered, and after: those to which they would be sent
 * @throws Problem `invalid`
 */
export function refuseOtherAddresses(before: unknown, after: unknown, keptNames: readonly string[]): void {
  const [name] = keptNames;
  if (name === undefined || JSON.stringify(before) === JSON.stringify(after)) return;
  throw invalidField(
    `secrets.${name}`,
    `secrets.${name} is missing: after a change of an address, enter ${keptNames.join(" and ")} again. Secrets are only sent to the address for which they were entered.`,
  );
}
