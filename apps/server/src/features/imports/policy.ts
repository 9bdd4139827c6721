import { type Actor, isAdmin, isOwner } from '#platform/auth/actor.ts'

const mayMakeDatasets = (u: Actor) => isOwner(u) || isAdmin(u)

export const importPolicy = {
  /** Users who may create datasets may inspect files for new datasets. */
  uploadMine: mayMakeDatasets,
  checkMine: (u: Actor, uploader: string) => mayMakeDatasets(u) && u.id === uploader,
}
