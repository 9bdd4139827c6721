import { isBlank } from '@postil/contract/people/password-rules.ts'

/** Names associated with this server. A password must not consist of one of these names plus digits and symbols. */
const OURS = [
  'postil',
  'argilla',
  'annotation',
  'annotator',
  'annotate',
  'administrator',
  'admin',
  'owner',
  'dataset',
  'workspace',
]

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '')

let known: Promise<ReadonlySet<string>> | undefined

/** The tens of thousands of most common passwords, in lowercase. */
const common = (): Promise<ReadonlySet<string>> => {
  // The list takes several hundred kilobytes and is loaded when the first password is set.
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((one) => String(one).toLowerCase())),
  )
  return known
}

/**
 * Explains why a new password would be easy to guess, or returns null. There are no composition rules: any sufficiently long
 * text with a visible character is accepted unless it is common.
 */
export const weaknessOf = async (password: string, username: string): Promise<string | null> => {
  if (isBlank(password)) return 'it is blank'
  const letters = lettersOf(password)
  const name = lettersOf(username)
  if (password.toLowerCase() === username.toLowerCase() || (letters !== '' && letters === name))
    return 'it is the same as the username'
  if (OURS.some((word) => letters === word || letters === word + word)) return 'it is a name or term that this server uses'
  return (await common()).has(password.toLowerCase()) ? 'it is a common password' : null
}
