import { sql } from 'kysely'
import { json } from '../codecs.ts'
import { command, query } from '../operations.ts'
import { pipeline, pipelineInOrder } from './pipeline.ts'

const count = (name: string, by: number) => sql`
  insert into counters (name, n) values (${name}, ${by}) on conflict (name) do update set n = counters.n + excluded.n`

export const addOnce = command('test.statements.add', async (db, { name }: { name: string }) => {
  await count(name, 1).execute(db.sql)
})
export const numberOf = query('test.statements.number', async (db, { name }: { name: string }): Promise<number> => {
  const row = await db.sql.selectFrom('counters').select('n').where('name', '=', name).executeTakeFirst()
  return row?.n ?? 0
})

/** Runs three steps. The first and third write, and the second fails. The third step consists of two statements. */
export const failTogether = command('test.statements.fail-together', (db, { name }: { name: string }) =>
  pipeline([
    count(name, 1).execute(db.sql),
    sql`insert into counters (name, n) values (null, 1)`.execute(db.sql),
    count(name, 1)
      .execute(db.sql)
      .then(() => count(name, 1).execute(db.sql)),
  ]).then(() => undefined),
)

/**
 * Runs three steps in order. The second step fails while the first one is in flight. With `inStore`, the second step's statement
 * fails in the database. Otherwise, the step fails before its statement is sent.
 */
export const failInTurn = command('test.statements.fail-in-turn', (db, { name, inStore }: { name: string; inStore: boolean }) =>
  pipelineInOrder(db.dialect.flush, [
    () => count(name, 1).execute(db.sql),
    () => {
      if (!inStore) throw new Error('not prepared')
      return sql`insert into counters (name, n) values (null, 1)`.execute(db.sql)
    },
    () => count(name, 1).execute(db.sql),
  ]).then(() => undefined),
)

/** A command that ignores a failed statement. */
export const overlook = command('test.statements.overlook', async (db, { name }: { name: string }) => {
  await count(name, 1).execute(db.sql)
  await sql`insert into counters (name, n) values (null, 1)`.execute(db.sql).catch(() => undefined)
})

/** Deletes the connection's prepared statements, as a connection pooler may do between two transactions. */
export const forgetStatements = query(
  'test.statements.forget',
  async (db, _: object) => {
    await sql`deallocate all`.execute(db.sql)
  },
  { single: true },
)
export const preparedStatements = query(
  'test.statements.prepared',
  async (db, _: object): Promise<number> => {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from pg_prepared_statements where name like 'postil_%'`.execute(db.sql)
    return rows[0]?.n ?? 0
  },
  { single: true },
)

export const insertQuestions = command('test.statements.insert-questions', async (db, { rows }: { rows: number }) => {
  const at = 1_763_000_000_000_000
  const questions = Array.from({ length: rows }, (_, i) => ({
    id: `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`,
    dataset_id: '00000000-0000-7000-8000-000000000001',
    no: i,
    name: `q${i}`,
    title: 'T',
    description: null,
    required: true,
    settings: json({ type: 'text' }),
    inserted_at: at,
    updated_at: at,
  }))
  await db.dialect.insertMany(db.sql, 'questions', questions)
})
/** The planner's estimate of the table's row count. */
export const believedQuestions = query(
  'test.statements.believed-questions',
  async (db, _: object): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select reltuples::int8 as n from pg_class where relname = 'questions'`.execute(
      db.sql,
    )
    return rows[0]?.n ?? 0
  },
  { single: true },
)

export const breakConnection = command('test.statements.break-connection', async (db, { name }: { name: string }) => {
  await pipeline([
    count(name, 1).execute(db.sql),
    sql`select pg_terminate_backend(pg_backend_pid())`.execute(db.sql),
    count(name, 1).execute(db.sql),
  ])
})
