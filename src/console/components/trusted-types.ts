type Rules = Readonly<Record<string, (text: string) => string>>;

/**
 * Creates a Trusted Types policy. The console's content security policy must list the name. In browsers without Trusted
 * Types, the rules are called directly.
 */
export function createPolicy<Own extends Rules>(name: string, rules: Own): Own {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy: typeof createPolicy } };
  return trustedTypes ? trustedTypes.createPolicy(name, rules) : rules;
}
