/** Roles of staff. `.docs/console.md` describes the purpose of each. */
export const ROLES = ["viewer", "registrar", "designer", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The roles of staff whose token has none: everything that staff could do before roles existed. */
export const STAFF_ROLES: readonly Role[] = ["viewer", "registrar", "designer"];

/** Returns whether a value is the name of a role. */
export function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

/** Returns the roles with those that they include, each once, in the order of `ROLES`. */
export function withIncluded(roles: readonly Role[]): readonly Role[] {
  if (roles.includes("admin")) return ROLES;
  if (roles.length === 0) return [];
  return ROLES.filter((role) => role === "viewer" || roles.includes(role));
}
