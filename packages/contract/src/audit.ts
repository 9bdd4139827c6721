import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'

/** Short values from the request, keyed by name, including ids from its path. Never contains a password, a key or a secret. */
const AuditDetails = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** One action that changed the server, its users or its datasets. */
export const AuditEntry = z.strictObject({
  id: printedUuid(),
  at: printedDatetime(),
  /**
   * Who performed the action. On the command line, the id is null. For a failed sign-in, this is the user whose name was entered.
   * If there is no user with that name, the id is null and the name is empty.
   */
  actor: z.strictObject({ id: printedUuid().nullable(), name: z.string() }),
  /** The id of the route, for example `users.update`. Sign-ins have `sign_ins.succeeded` or `sign_ins.failed` instead. */
  action: z.string(),
  /**
   * The target's name at the time of the action. If this name was not recorded, `name` is the current name or, for a deleted
   * target, its last name. Null if unknown.
   */
  target: z.strictObject({ id: z.string().nullable(), name: z.string().nullable() }),
  details: AuditDetails,
  /** Names for the ids in `details`, under the same keys: the current name, or the last name before deletion. */
  names: z.record(z.string(), z.string()),
  /** The network address of the request. Null for the command line. */
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
    /** Return only entries older than this one. */
    before: uuid().optional(),
    actor_id: uuid().optional(),
    /** The complete name of an action, or the part before the dot for all actions of that feature. */
    action: text({ max: 100, keep: false }).optional(),
    target_id: text({ max: 100, keep: false }).optional(),
    /** Return only entries by this user or about this user. */
    person_id: uuid().optional(),
    /** `since`: return only entries from this time on. `until`: return only entries before this time. */
    since: text({ keep: false }).optional(),
    until: text({ keep: false }).optional(),
  }),
  result: z.strictObject({ items: z.array(AuditEntry) }),
  errors: [403],
  addition: true,
  summary: 'List audit log entries, newest first',
})

export const auditEndpoints = [listAudit] as const
