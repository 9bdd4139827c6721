import { type Actor, isOwner } from '#platform/auth/actor.ts'

export const migrationPolicy = {
  /** The rows contain data that only owners can read, such as the answers of all people and deleted records. */
  readRows: (u: Actor) => isOwner(u),
}
