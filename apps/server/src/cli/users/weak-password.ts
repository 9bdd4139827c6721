import { weaknessOf } from '#platform/auth/passwords/password-rules.ts'
import { printable } from '../output/printable.ts'

/** Warns on standard error about a weak password but accepts it, because existing scripts must keep working. */
export const warnOfWeakPassword = async (password: string, username: string): Promise<void> => {
  const weakness = await weaknessOf(password, username)
  if (weakness === null) return
  process.stderr.write(`The password of '${printable(username)}' is easy to guess: ${weakness}. Change it in the web app.\n`)
}
