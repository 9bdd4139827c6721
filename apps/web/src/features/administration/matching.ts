import type { User } from '@postil/contract/people/users.ts'

/** Accents and case make no difference to whoever looks for a name. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Users whose names contain all of the words. */
export const matching = <U extends Pick<User, 'username' | 'first_name' | 'last_name'>>(
  users: readonly U[],
  search: string,
): readonly U[] => {
  const words = folded(search).split(/\s+/).filter(Boolean)
  return users.filter(({ username, first_name, last_name }) => {
    const names = folded(`${username} ${first_name} ${last_name ?? ''}`)
    return words.every((word) => names.includes(word))
  })
}
