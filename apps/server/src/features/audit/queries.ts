import type { AuditEntry, listAudit } from '@postil/contract/audit.ts'
import type { QueryOf } from '@postil/contract/endpoint.ts'
import { query } from '#platform/db/operations.ts'
import { printTime } from '#platform/time.ts'

type Filters = QueryOf<typeof listAudit>

/** Newest first: ids rise with time. */
export const listEntries = query(
  'audit.list',
  async (db, { limit, before, actor_id, action, target_id }: Filters): Promise<readonly AuditEntry[]> => {
    let entries = db.sql.selectFrom('audit').selectAll()
    if (before !== undefined) entries = entries.where('id', '<', before)
    if (actor_id !== undefined) entries = entries.where('actor_id', '=', actor_id)
    if (target_id !== undefined) entries = entries.where('target_id', '=', target_id)
    if (action !== undefined)
      // NOTE: the character after the dot ends the range of all actions of a feature
      entries = action.includes('.')
        ? entries.where('action', '=', action)
        : entries.where('action', '>=', `${action}.`).where('action', '<', `${action}/`)
    const rows = await entries.orderBy('id', 'desc').limit(limit).execute()
    return rows.map(({ id, at, actor_id: actor, actor_name, target_id: target, target_name, ...row }) => ({
      id,
      at: printTime(at),
      actor: { id: actor, name: actor_name },
      action: row.action,
      target: { id: target, name: target_name },
      details: row.details,
      address: row.address,
    }))
  },
  { single: true },
)
