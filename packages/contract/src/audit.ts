import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'

/** Values that an act was done with, by name, and what its target lies in: short texts, numbers and truths. Never a password, a key or a secret. */
const AuditDetails = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Something that somebody did to the server, its people or its datasets. */
export const AuditEntry = z.strictObject({
  id: printedUuid(),
  at: printedDatetime(),
  /** Who did it; the id is null for the command line. */
  actor: z.strictObject({ id: printedUuid().nullable(), name: z.string() }),
  /** The id of the route, for example `users.update`. */
  action: z.string(),
  /** Its name then, or where that was not kept, what it is called now, or was when it was deleted; null where nobody knows. */
  target: z.strictObject({ id: z.string().nullable(), name: z.string().nullable() }),
  details: AuditDetails,
  /** What is meant by ids in `details`, by the same names: what it is called now, or was when it was deleted. */
  names: z.record(z.string(), z.string()),
  /** The network address that the request came from; null for the command line. */
  address: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
export type AuditDetails = z.infer<typeof AuditDetails>

export const maxAuditPage = 200

export const listAudit = defineEndpoint({
  id: 'audit.list',
  method: 'GET',
  path: '/audit',
  query: z.object({
    limit: int({ ge: 1, le: maxAuditPage }).default(50),
    /** Only what is older than this entry. */
    before: uuid().optional(),
    actor_id: uuid().optional(),
    /** A whole action, or its first part. */
    action: text({ max: 100, keep: false }).optional(),
    target_id: text({ max: 100, keep: false }).optional(),
  }),
  result: z.strictObject({ items: z.array(AuditEntry) }),
  errors: [403],
  addition: true,
  summary: 'Who did what to the server, its people and its datasets, newest first',
})

export const auditEndpoints = [listAudit] as const
