import type { Actor } from '#features/records/service.ts'

const mayMakeDatasets = (u: Actor) => u.role === 'owner' || u.role === 'admin'

export const importPolicy = {
  /** Users who may create datasets may inspect files for them. */
  uploadMine: mayMakeDatasets,
  checkMine: (u: Actor, uploader: string) => mayMakeDatasets(u) && u.id === uploader,
}
