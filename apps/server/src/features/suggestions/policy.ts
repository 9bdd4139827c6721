import { recordPolicy } from '#features/records/public.ts'
import type { Actor, Membership } from '#platform/auth/actor.ts'

/** Users who can see a record can see its suggestions. Users who can change a record can change its suggestions. */
export const suggestionPolicy = {
  list: (u: Actor, s: Membership) => recordPolicy.get(u, s),
  put: (u: Actor, s: Membership) => recordPolicy.update(u, s),
  delete: (u: Actor, s: Membership) => recordPolicy.update(u, s),
}
