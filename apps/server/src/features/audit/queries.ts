import type { AuditEntry, listAudit } from '@postil/contract/audit.ts'
import type { QueryOf } from '@postil/contract/wire/endpoint.ts'
import { query } from '#platform/db/operations.ts'
import { printTime } from '#platform/time.ts'
import { namesOf } from './names.ts'

type Filters = QueryOf<typeof listAudit>

/** Lists entries newest first. IDs increase with time. */
export const listEntries = query(
  'audit.list',
  async (db, { limit, before, actor_id, action, target_id }: Filters): Promise<readonly AuditEntry[]> => {
    let entries = db.sql.selectFrom('audit').selectAll()
    if (before !== undefined) entries = entries.where('id', '<', before)
    if (actor_id !== undefined) entries = entries.where('actor_id', '=', actor_id)
    if (target_id !== undefined) entries = entries.where('target_id', '=', target_id)
    if (action !== undefined)
      // The IDs of a feature's actions start with its name and a dot. `/` is the character after the dot, so it ends their range
      entries = action.includes('.')
        ? entries.where('action', '=', action)
        : entries.where('action', '>=', `${action}.`).where('action', '<', `${action}/`)
    const rows = await entries.orderBy('id', 'desc').limit(limit).execute()
    const namesIn = await namesOf(db, rows)
    return rows.map((row) => {
      const { target, names } = namesIn(row)
      return {
        id: row.id,
        at: printTime(row.at),
        actor: { id: row.actor_id, name: row.actor_name },
        action: row.action,
        target: { id: row.target_id, name: target },
        details: row.details,
        names,
        address: row.address,
      }
    })
  },
)
