/**
 * Finds the system's nginx and PgBouncer. If a program is missing and the user is root, installs it with apt. If the program is
 * still missing, throws an error that says what to install.
 */
import { aptInstall } from '../../scripts/lib/apt.mjs'
import { isRoot, UserError, which } from '../../scripts/lib/run.mjs'

const PACKAGES = { nginx: 'nginx-light', pgbouncer: 'pgbouncer' } as const
type Program = keyof typeof PACKAGES

// Debian installs these programs in a folder that only root's PATH contains.
const find = (name: Program): string | null => which(name) ?? which(`../sbin/${name}`)

/** @returns the path of the program @throws UserError that says what to install */
export const program = async (name: Program): Promise<string> => {
  if (!find(name) && isRoot() && which('apt-get')) await aptInstall([PACKAGES[name]])
  const found = find(name)
  if (!found) throw new UserError(`${name} is required. Install it (on Debian: apt-get install ${PACKAGES[name]}).`)
  return found
}
