import type { User } from '@postil/contract/people/users.ts'
import { plainOf } from '#lib/text/plain.ts'

/** Users whose names contain all of the words. */
export const matching = <U extends Pick<User, 'username' | 'first_name' | 'last_name'>>(
  users: readonly U[],
  search: string,
): readonly U[] => {
  const words = plainOf(search).split(/\s+/).filter(Boolean)
  return users.filter(({ username, first_name, last_name }) => {
    const names = plainOf(`${username} ${first_name} ${last_name ?? ''}`)
    return words.every((word) => names.includes(word))
  })
}
