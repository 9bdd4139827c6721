import type { User } from '@postil/contract/people/users.ts'
import { withoutAccents } from '#lib/text/without-accents.ts'

/** Returns the users whose names contain all of the words. */
export const matchUsers = <U extends Pick<User, 'username' | 'first_name' | 'last_name'>>(
  users: readonly U[],
  search: string,
): readonly U[] => {
  const words = withoutAccents(search).split(/\s+/).filter(Boolean)
  return users.filter(({ username, first_name, last_name }) => {
    const names = withoutAccents(`${username} ${first_name} ${last_name ?? ''}`)
    return words.every((word) => names.includes(word))
  })
}
