import { isOwner } from '#platform/auth/actor.ts'

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
