import type { Actor } from '#features/records/service.ts'
import { recordPolicy } from '#features/records/service.ts'

/** `member`: linked to the workspace of the record's dataset. */
type Standing = { readonly member: boolean }

/** Who may see a record may see its suggestions; who may change it may change them. */
export const suggestionPolicy = {
  list: (u: Actor, s: Standing) => recordPolicy.get(u, s),
  put: (u: Actor, s: Standing) => recordPolicy.update(u, s),
  delete: (u: Actor, s: Standing) => recordPolicy.update(u, s),
}
