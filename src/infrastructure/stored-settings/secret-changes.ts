import { invalidField } from "#foundation/errors.js";

/** Secrets as entered, by name. An empty secret is removed; secrets that aren't named are kept. */
export type SecretEntries = Readonly<Record<string, string>>;

export function enteredSecrets(secrets: SecretEntries): SecretEntries {
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ""));
}

export function secretChanges(secrets: SecretEntries): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, value === "" ? null : value]),
  );
}

export function retainedSecrets(stored: object, secrets: SecretEntries): string[] {
  return Object.keys(stored).filter((name) => secrets[name] === undefined);
}

/**
 * Rejects a change of an address if secrets are kept. The secrets would be sent to an address for which they weren't
 * entered, where someone could collect them.
 * @param before addresses for which the secrets were entered
 * @param after addresses to which they would be sent
 * @throws Problem `invalid`
 */
export function refuseOtherAddresses(
  before: unknown,
  after: unknown,
  retainedNames: readonly string[],
): void {
  const [name] = retainedNames;
  if (name === undefined || JSON.stringify(before) === JSON.stringify(after)) return;
  throw invalidField(
    `secrets.${name}`,
    `secrets.${name} is missing: after a change of an address, enter ${retainedNames.join(" and ")} again. Secrets are only sent to the address for which they were entered.`,
  );
}
