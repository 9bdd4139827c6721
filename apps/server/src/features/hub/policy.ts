import type { Actor } from '#features/records/service.ts'

export const hubPolicy = {
  /** What the hub shows of a dataset is shown to those who may make one of it. */
  use: (u: Actor) => u.role === 'owner' || u.role === 'admin',
}
