import { weaknessOf } from '#platform/auth/passwords/password-rules.ts'
import { printable } from '../told/printable.ts'

/** Says so on standard error where a given password would be guessed soon. It is taken: scripts give what they always gave. */
export const warnOfWeakPassword = async (password: string, username: string): Promise<void> => {
  const weakness = await weaknessOf(password, username)
  if (weakness === null) return
  process.stderr.write(
    `The password of '${printable(username)}' would be guessed soon: ${weakness}. Choose another one in the page.\n`,
  )
}
