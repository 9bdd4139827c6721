import { isBlank } from '@postil/contract/people/password-rules.ts'

/** Words that stand for this server: what is left of a password beside digits and signs may not be one of them. */
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

/** Passwords that many people have, in small letters: the tens of thousands that were found most often. */
const common = (): Promise<ReadonlySet<string>> => {
  // NOTE: some hundred kilobytes, read when the first password is chosen
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((one) => String(one).toLowerCase())),
  )
  return known
}

/**
 * Why a new password would be guessed soon; null when it would not. There are no rules for what it is made of: any text of enough
 * characters, one of them to be seen, that few others have.
 */
export const weaknessOf = async (password: string, username: string): Promise<string | null> => {
  if (isBlank(password)) return 'it is nothing but blanks'
  const letters = lettersOf(password)
  const name = lettersOf(username)
  if (password.toLowerCase() === username.toLowerCase() || (letters !== '' && letters === name)) return 'it is the username'
  if (OURS.some((word) => letters === word || letters === word + word))
    return 'it is a name of this server or of what is done here'
  return (await common()).has(password.toLowerCase()) ? 'it is one that many people have' : null
}
