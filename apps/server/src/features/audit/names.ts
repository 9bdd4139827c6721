import type { AuditDetails } from '@postil/contract/audit.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import type { Db } from '#platform/db/db.ts'
import { together } from '#platform/db/statements/together.ts'

type Named = { readonly target_id: string | null; readonly target_name: string | null; readonly details: AuditDetails }

/** The ids among the values of an entry, by what they are called there. */
const idsIn = (details: AuditDetails): readonly (readonly [name: string, id: string])[] =>
  Object.entries(details).flatMap(([name, value]) => (name.endsWith('_id') && typeof value === 'string' ? [[name, value]] : []))

const CALLED = ['workspaces', 'datasets', 'fields', 'questions', 'metadata_properties', 'vector_settings', 'imports'] as const

/** What things are called by id: as long as they are there, whatever they are. */
const namesNow = async (db: Db, ids: readonly string[]): Promise<readonly (readonly [id: string, name: string])[]> => {
  const of = (table: (typeof CALLED)[number]) => db.sql.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute()
  const users = db.sql.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute()
  const webhooks = db.sql.selectFrom('webhooks').select(['id', 'url as name']).where('id', 'in', ids).execute()
  const found = await together([users, webhooks, ...CALLED.map(of)])
  return found.flat().map(({ id, name }) => [id, name])
}

/** What things were called when they were made, or else deleted: entries have their own target's name, and nothing of one that is only mentioned. */
const namesThen = async (db: Db, ids: readonly string[]): Promise<readonly (readonly [id: string, name: string])[]> => {
  const rows = await db.sql
    .selectFrom('audit')
    .select(['target_id', 'target_name'])
    .where('target_id', 'in', ids)
    .where('target_name', 'is not', null)
    .where((eb) => eb.or([eb('action', 'like', '%.create'), eb('action', 'like', '%.delete')]))
    .orderBy('id')
    .execute()
  return rows.map((row) => [String(row.target_id), String(row.target_name)])
}

export type Names = {
  /** What was acted on. */
  readonly target: string | null
  /** Of ids among the values. */
  readonly names: { readonly [name: string]: string }
}

/** Reads the names of what a page of entries tells of by id, for all of them at once. */
export const namesOf = async (db: Db, entries: readonly Named[]): Promise<(entry: Named) => Names> => {
  const meant = new Set(
    entries
      .flatMap(({ target_id, target_name, details }) => [
        ...(target_name === null && target_id !== null ? [target_id] : []),
        ...idsIn(details).map(([, id]) => id),
      ])
      .filter((id) => parseUuid(id) === id),
  )
  const now = new Map(meant.size === 0 ? [] : await namesNow(db, [...meant]))
  const gone = [...meant].filter((id) => !now.has(id))
  const known = new Map([...(gone.length === 0 ? [] : await namesThen(db, gone)), ...now])
  return ({ target_id, target_name, details }) => ({
    target: target_name ?? known.get(target_id ?? '') ?? null,
    names: Object.fromEntries(
      idsIn(details).flatMap(([name, id]) => {
        const called = known.get(id)
        return called === undefined ? [] : [[name, called]]
      }),
    ),
  })
}
