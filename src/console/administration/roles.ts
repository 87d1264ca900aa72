import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";

/** Roles of staff, by their names in sign-in links. */
export const roleNames = {
  viewer: Role.VIEWER,
  registrar: Role.REGISTRAR,
  designer: Role.DESIGNER,
  admin: Role.ADMIN,
} as const;

export type RoleName = keyof typeof roleNames;

export const allRoles = Object.keys(roleNames) as RoleName[];

/** Returns the roles to show. The administrator's role includes all others, so it is shown alone. */
export function shownRoles(roles: readonly Role[]): readonly RoleName[] {
  return roles.includes(Role.ADMIN) ? ["admin"] : allRoles.filter((name) => roles.includes(roleNames[name]));
}
