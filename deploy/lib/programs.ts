/** nginx and PgBouncer of the system: installed by root, asked for otherwise. */
import { aptInstall } from '../../scripts/lib/apt.mjs'
import { isRoot, Sentence, which } from '../../scripts/lib/run.mjs'

const PACKAGES = { nginx: 'nginx-light', pgbouncer: 'pgbouncer' } as const
type Program = keyof typeof PACKAGES

// NOTE: Debian keeps them where only root's PATH looks
const find = (name: Program): string | null => which(name) ?? which(`../sbin/${name}`)

/** @returns where the program is @throws Sentence that says what to install */
export const program = async (name: Program): Promise<string> => {
  if (!find(name) && isRoot() && which('apt-get')) await aptInstall([PACKAGES[name]])
  const found = find(name)
  if (!found) throw new Sentence(`${name} is needed: install it (on Debian: apt-get install ${PACKAGES[name]}).`)
  return found
}
