/** Roles of staff, described in `.docs/console.md`. */
export const ROLES = ["viewer", "registrar", "designer", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The roles of staff whose token has none: everything that staff could do before roles existed. */
export const STAFF_ROLES: readonly Role[] = ["viewer", "registrar", "designer"];

export function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

/** Returns the roles and the roles that they include, each once, in the order of `ROLES`. */
export function withIncluded(roles: readonly Role[]): readonly Role[] {
  if (roles.includes("admin")) return ROLES;
  if (roles.length === 0) return [];
  return ROLES.filter((role) => role === "viewer" || roles.includes(role));
}
