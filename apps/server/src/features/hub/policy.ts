import type { Actor } from '#features/records/service.ts'

export const hubPolicy = {
  /** Only users who may create datasets see what the Hub shows of one. */
  use: (u: Actor) => u.role === 'owner' || u.role === 'admin',
}
