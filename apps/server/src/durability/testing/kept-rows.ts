import { join } from 'node:path'
import pg from 'pg'
import { DATABASE_FILE, openConnection } from '#platform/db/sqlite/connection.ts'
import type { Place } from './older-store.ts'

type Row = { readonly [column: string]: unknown }
type Run = (statement: string) => Promise<readonly Row[]>

const onStore = async <T>({ folder, url }: Place, use: (run: Run) => Promise<T>): Promise<T> => {
  if (url === undefined) {
    const connection = openConnection(join(folder, DATABASE_FILE), 'writer')
    try {
      return await use(async (statement) => connection.prepare(statement).all() as Row[])
    } finally {
      connection.close()
    }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(async (statement) => (await client.query<Row>(statement)).rows)
  } finally {
    await client.end()
  }
}

/** Tables whose rows nothing derives, and the first version that has each. */
export const KEPT = {
  sessions: '0001',
  history: '0001',
  leases: '0001',
  webhooks: '0001',
  outbox: '0001',
  jobs: '0001',
  imports: '0007',
  oauth_identities: '0009',
  saved_views: '0010',
  second_factors: '0021',
  failed_sign_ins: '0026',
} as const
export type Kept = { readonly [table: string]: readonly Row[] }

/** The rows of those tables as the engine has them, in the columns that the store has. */
export const keptRows = (place: Place, version: string): Promise<Kept> =>
  onStore(place, async (run) => {
    const kept: { [table: string]: readonly Row[] } = {}
    for (const [table, since] of Object.entries(KEPT)) if (version >= since) kept[table] = await run(`select * from ${table}`)
    return kept
  })

const DAY = 86_400_000_000

/**
 * What no request leaves behind in a server without providers and hubs: an identity, a file that arrives in parts, and a job
 * that nobody takes for a year. Ids are those of the user, because each engine writes ids in its own way.
 */
export const seedRows = (place: Place, username: string): Promise<void> =>
  onStore(place, async (run) => {
    const user = `from users where username = '${username}'`
    await run(
      `insert into oauth_identities (issuer, subject, user_id, provider, made_user, inserted_at)
       select 'https://issuer.test', 'subject-1', id, 'huggingface', 1 = 0, inserted_at ${user}`,
    )
    await run(
      `insert into jobs (id, kind, dataset_no, user_id, args, state, done, total, attempts, available_at, inserted_at, updated_at)
       select id, 'import', 1, id, '{"of":"upgrade"}', 'scheduled', 3, 9, 1, inserted_at + ${365 * DAY}, inserted_at, updated_at ${user}`,
    )
    await run(
      `insert into imports (id, dataset_no, user_id, name, layout, size, arriving, inserted_at)
       select id, 1, id, 'rows.csv', '{}', 12, 'csv', inserted_at ${user}`,
    )
  })
