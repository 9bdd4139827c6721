import { conflict } from '@postil/contract/wire/errors.ts'
import { sql } from 'kysely'
import { json } from './codecs.ts'
import type { Sql } from './db.ts'
import { command, query } from './operations.ts'
import { prepared } from './statements/prepared.ts'
import { tables } from './tables.ts'

const add = async (db: Sql, name: string, by: number): Promise<number> => {
  const row = await db
    .insertInto('counters')
    .values({ name, n: by })
    .onConflict((c) => c.column('name').doUpdateSet((eb) => ({ n: eb('counters.n', '+', eb.ref('excluded.n')) })))
    .returning('n')
    .executeTakeFirstOrThrow()
  return row.n
}

export const addNumber = command('test.add', (db, args: { name: string; by: number }) => add(db.sql, args.name, args.by))
export const readAll = query('test.read', (db, args: { name: string }) =>
  db.sql.selectFrom('counters').select(['name', 'n']).where('name', '=', args.name).execute(),
)
export const failAfterWrite = command('test.fail', async (db, args: { name: string }) => {
  await add(db.sql, args.name, 1)
  throw new Error('broken on purpose')
})
type Row = { readonly name: string; readonly n: number }
const addRow = prepared((db, { name, n }: Row) => db.sql.insertInto('counters').values({ name, n }))
/** Two deferred writes and an immediate one, which runs before them. The second deferred write fails if the name is taken. */
export const addLater = command('test.later', async (db, { first, second }: { first: Row; second: Row }) => {
  await addRow(db.atCommit, first)
  await addRow(db.atCommit, second)
  await add(db.sql, first.name.toUpperCase(), 1)
})
/** Fails after deferring a write. */
export const failAfterPuttingOff = command('test.fail-later', async (db, row: Row) => {
  await addRow(db.atCommit, row)
  throw new Error('broken on purpose')
})
/** PostgreSQL's `synchronous_commit` setting at the start of a command, and after `commitUnsynced` if requested. */
export const commitsOf = command('test.commits-of', async (db, { unsynced }: { unsynced: boolean }): Promise<string[]> => {
  const look = async () =>
    (await sql<{ how: string }>`select current_setting('synchronous_commit') as how`.execute(db.sql)).rows[0]?.how ?? ''
  const atFirst = await look()
  await sql`set local synchronous_commit = on`.execute(db.sql)
  if (unsynced) await db.dialect.commitUnsynced(db.sql)
  return [atFirst, await look()]
})
export const addMore = command('test.add-more', async (db, args: { name: string }, more) => {
  await add(db.sql, args.name, 10)
  const bytes = (await more?.()) ?? null
  return add(db.sql, args.name, bytes?.[0] ?? 1)
})
/** Fails before it requests late input. */
export const failBeforeMore = command('test.fail-before-more', async (db, args: { name: string }, _more) => {
  await add(db.sql, args.name, 1)
  throw new Error('broken on purpose')
})
export const refuse = command('test.refuse', async () => {
  throw conflict('it stands', { stands: 1 })
})
export const deadlockOnce = command('test.deadlock', async (db, args: { first: string; second: string }, more) => {
  await add(db.sql, args.first, 1)
  const by = (await more?.())?.[0] ?? 1
  await new Promise((resolve) => setTimeout(resolve, 50))
  await add(db.sql, args.second, by)
  return true
})
/** Fails in PostgreSQL in the same way as a command that is part of a deadlock. */
export const deadlockAlways = command('test.deadlock-always', async (db, { onAttempt }: { onAttempt: () => void }) => {
  onAttempt()
  await sql`do $$ begin raise exception using errcode = '40P01'; end $$`.execute(db.sql)
})

export const insertRows = command('test.insert', async (db, args: { rows: number }) => {
  const dataset_id = '00000000-0000-7000-8000-000000000001'
  const rows = Array.from({ length: args.rows }, (_, i) => ({
    id: `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`,
    dataset_id,
    no: i,
    name: `q${i}`,
    title: 'T',
    description: null,
    required: i % 2 === 0,
    settings: json({ type: 'text', z: 1, a: [1, 'é', null] }),
    inserted_at: 1_763_000_000_123_456,
    updated_at: 1_763_000_000_123_456,
  }))
  await db.dialect.insertMany(db.sql, 'questions', rows)
  await db.dialect.insertMany(db.sql, 'questions', rows, { ignoreConflicts: true })
  const found = await db.sql
    .selectFrom('questions')
    .select(['settings', 'required', 'description', 'inserted_at'])
    .where('dataset_id', '=', dataset_id)
    .where('required', '=', true)
    .orderBy('no')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { n } = await db.sql
    .selectFrom('questions')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('dataset_id', '=', dataset_id)
    .executeTakeFirstOrThrow()
  return { ...found, rows: n }
})

export const columnsOf = query('test.columns', async (db) => {
  const known = new Set<string>(Object.keys(tables))
  const found = (await db.sql.introspection.getTables()).filter((table) => known.has(table.name))
  return Object.fromEntries(found.map((table) => [table.name, table.columns.map((column) => column.name).sort()]))
})

export const addMigration = command('test.migration', async (db, args: { name: string }) => {
  await sql`INSERT INTO migrations (name, at) VALUES (${args.name}, 0)`.execute(db.sql)
})
