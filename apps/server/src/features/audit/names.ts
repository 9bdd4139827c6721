import type { AuditDetails } from '@postil/contract/audit.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'

type EntryWithIds = { readonly target_id: string | null; readonly target_name: string | null; readonly details: AuditDetails }

/** The IDs in an entry's details, each with its key in the details. */
const idsIn = (details: AuditDetails): readonly (readonly [name: string, id: string])[] =>
  Object.entries(details).flatMap(([name, value]) => (name.endsWith('_id') && typeof value === 'string' ? [[name, value]] : []))

const NAMED_TABLES = [
  'workspaces',
  'datasets',
  'fields',
  'questions',
  'metadata_properties',
  'vector_settings',
  'imports',
  'model_connections',
] as const

const currentNames = async (db: Db, ids: readonly string[]): Promise<readonly (readonly [id: string, name: string])[]> => {
  const of = (table: (typeof NAMED_TABLES)[number]) =>
    db.sql.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute()
  const users = db.sql.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute()
  const webhooks = db.sql.selectFrom('webhooks').select(['id', 'url as name']).where('id', 'in', ids).execute()
  const found = await pipeline([users, webhooks, ...NAMED_TABLES.map(of)])
  return found.flat().map(({ id, name }) => [id, name])
}

/**
 * The names that entities had when they were created or deleted. Needed because the details of an audit log entry contain the IDs
 * of entities, but not their names.
 */
const historicNames = async (db: Db, ids: readonly string[]): Promise<readonly (readonly [id: string, name: string])[]> => {
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
  /** The name of the target. */
  readonly target: string | null
  /** The names of the entities whose IDs are in the details. The keys are the same as in the details. */
  readonly names: { readonly [name: string]: string }
}

/** Reads the names of all entities whose IDs occur in a page of entries, in one batch. */
export const namesOf = async (db: Db, entries: readonly EntryWithIds[]): Promise<(entry: EntryWithIds) => Names> => {
  const referencedIds = new Set(
    entries
      .flatMap(({ target_id, target_name, details }) => [
        ...(target_name === null && target_id !== null ? [target_id] : []),
        ...idsIn(details).map(([, id]) => id),
      ])
      .filter((id) => parseUuid(id) === id),
  )
  const now = new Map(referencedIds.size === 0 ? [] : await currentNames(db, [...referencedIds]))
  const deletedIds = [...referencedIds].filter((id) => !now.has(id))
  const known = new Map([...(deletedIds.length === 0 ? [] : await historicNames(db, deletedIds)), ...now])
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
