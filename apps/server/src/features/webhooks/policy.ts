import type { User } from '#platform/auth/user.ts'

const isOwner = (u: Pick<User, 'role'>) => u.role === 'owner'

export const webhookPolicy = {
  list: isOwner,
  create: isOwner,
  update: isOwner,
  delete: isOwner,
  ping: isOwner,
  rotateSecret: isOwner,
  seeDeliveries: isOwner,
  resend: isOwner,
}
