import type { AuditEntry, listAudit } from '@postil/contract/audit.ts'
import type { QueryOf } from '@postil/contract/wire/endpoint.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { idAt } from '#platform/ids.ts'
import { type Micros, printTime } from '#platform/time.ts'
import { namesOf } from './names.ts'

export type Filters = Omit<QueryOf<typeof listAudit>, 'since' | 'until'> & {
  readonly since: Micros | undefined
  readonly until: Micros | undefined
}

const SIGN_INS = 'sign_ins'
const SUCCEEDED = `${SIGN_INS}.succeeded`
const FAILED = `${SIGN_INS}.failed`
/** The time in an ID can differ from the row's own time by a few milliseconds. */
const SLACK: Micros = 1_000_000

const changes = async (db: Db, { limit, before, actor_id, person_id, action, target_id, since, until }: Filters) => {
  if (action === SIGN_INS || action?.startsWith(`${SIGN_INS}.`)) return []
  let entries = db.sql.selectFrom('audit').selectAll()
  if (before !== undefined) entries = entries.where('id', '<', before)
  // IDs increase with time, so these conditions on the ID limit how many rows are read.
  if (since !== undefined) entries = entries.where('id', '>=', idAt(since - SLACK)).where('at', '>=', since)
  if (until !== undefined) entries = entries.where('id', '<', idAt(until + SLACK)).where('at', '<', until)
  if (actor_id !== undefined) entries = entries.where('actor_id', '=', actor_id)
  if (person_id !== undefined)
    entries = entries.where((eb) => eb.or([eb('actor_id', '=', person_id), eb('target_id', '=', person_id)]))
  if (target_id !== undefined) entries = entries.where('target_id', '=', target_id)
  if (action !== undefined)
    // All action IDs of a feature start with the feature's name and a dot. In the sort order, `/` directly follows the dot. The
    // range therefore ends at the name followed by `/`.
    entries = action.includes('.')
      ? entries.where('action', '=', action)
      : entries.where('action', '>=', `${action}.`).where('action', '<', `${action}/`)
  const rows = await entries.orderBy('id', 'desc').limit(limit).execute()
  const namesIn = await namesOf(db, rows)
  return rows.map((row): AuditEntry => {
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
}

const signIns = async (db: Db, { limit, before, actor_id, person_id, action, target_id, since, until }: Filters) => {
  if (target_id !== undefined || (action !== undefined && ![SIGN_INS, SUCCEEDED, FAILED].includes(action))) return []
  let entries = db.sql.selectFrom('sign_ins').selectAll()
  if (before !== undefined) entries = entries.where('id', '<', before)
  if (since !== undefined) entries = entries.where('last_at', '>=', since)
  if (until !== undefined) entries = entries.where('at', '<', until)
  for (const user of [person_id, actor_id]) if (user !== undefined) entries = entries.where('user_id', '=', user)
  if (action !== undefined && action !== SIGN_INS) entries = entries.where('succeeded', '=', action === SUCCEEDED)
  const rows = await entries.orderBy('id', 'desc').limit(limit).execute()
  return rows.map(
    (row): AuditEntry => ({
      id: row.id,
      at: printTime(row.at),
      actor: { id: row.user_id, name: row.username ?? '' },
      action: row.succeeded ? SUCCEEDED : FAILED,
      target: { id: null, name: null },
      details: { means: row.means, times: row.times, ...(row.times > 1 && { last_at: printTime(row.last_at) }) },
      names: {},
      address: row.address,
    }),
  )
}

/** Lists changes and sign-ins, newest first. IDs increase with time. */
export const listEntries = query('audit.list', async (db, filters: Filters): Promise<readonly AuditEntry[]> => {
  const found = [...(await changes(db, filters)), ...(await signIns(db, filters))]
  return found.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, filters.limit)
})
