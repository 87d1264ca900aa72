/** What a member of staff may do. `.docs/console.md` lists what each role is for. */
export const ROLES = ["viewer", "registrar", "designer", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The roles of staff whose token names none: everything that staff could do before there were roles. */
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
