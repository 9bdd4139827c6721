import { isOwner } from '#platform/auth/actor.ts'

export const auditPolicy = { list: isOwner }
