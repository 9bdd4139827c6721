import type { Actor } from '#features/records/service.ts'
import { recordPolicy } from '#features/records/service.ts'

/** `member`: linked to the workspace of the record's dataset. */
type Membership = { readonly member: boolean }

/** Users who can see a record can see its suggestions. Users who can change it can change them. */
export const suggestionPolicy = {
  list: (u: Actor, s: Membership) => recordPolicy.get(u, s),
  put: (u: Actor, s: Membership) => recordPolicy.update(u, s),
  delete: (u: Actor, s: Membership) => recordPolicy.update(u, s),
}
