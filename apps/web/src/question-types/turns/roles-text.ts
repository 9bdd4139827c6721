const maxRoles = 20
/** The maximum length of a chat message's role, in characters. */
const maxRoleLength = 20

/**
 * Returns the roles that are listed in a string, separated by commas. Returns null, which means all roles, if the string lists
 * none.
 */
export const rolesFrom = (text: string): string[] | null => {
  const roles = [...new Set(text.split(',').map((role) => role.trim()))].filter((role) => role !== '')
  return roles.length === 0 ? null : roles
}

export const areRolesValid = (roles: readonly string[] | null): boolean =>
  roles === null || (roles.length <= maxRoles && roles.every((role) => Array.from(role).length <= maxRoleLength))
