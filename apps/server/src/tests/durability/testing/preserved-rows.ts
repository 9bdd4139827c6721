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

/** Tables whose rows aren't derived from other tables. Each is mapped to the first version that has the table. */
export const PRESERVED_TABLES = {
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
  invitations: '0031',
  password_links: '0031',
  user_activity: '0032',
  sign_ins: '0034',
  invited_users: '0035',
  assignments: '0038',
  gold: '0041',
  schema_versions: '0043',
  comments: '0044',
  mentions: '0044',
  test_items: '0045',
  test_people: '0045',
  seen_versions: '0047',
  model_connections: '0049',
  model_runs: '0050',
  run_items: '0050',
  snapshots: '0060',
} as const
export type PreservedRows = { readonly [table: string]: readonly Row[] }

/** Reads the rows of the preserved tables in the engine's own format, with the columns that the store's version has. */
export const readPreservedRows = (place: Place, version: string): Promise<PreservedRows> =>
  onStore(place, async (run) => {
    const rows: { [table: string]: readonly Row[] } = {}
    for (const [table, since] of Object.entries(PRESERVED_TABLES))
      if (version >= since) rows[table] = await run(`select * from ${table}`)
    return rows
  })

const DAY = 86_400_000_000

/**
 * Adds rows that requests can't create on a server without identity providers and Hub access. These are an identity, a file
 * uploaded in parts, a job that isn't due for a year, links, a test item and a model run. Their IDs are derived from the user's
 * ID, because each engine formats IDs differently.
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
    await run(
      `insert into invitations (id, token_hash, username, first_name, role, workspace_ids, invited_by, inserted_at, expires_at)
       select id, 'hash of an invitation', 'ada', 'Ada', 'annotator', '[]', id, inserted_at, inserted_at + ${DAY} ${user}`,
    )
    await run(
      `insert into password_links (user_id, token_hash, created_by, inserted_at, expires_at)
       select id, 'hash of a link', id, inserted_at, inserted_at + ${DAY} ${user}`,
    )
    await run(`insert into invited_users (user_id) select id ${user}`)
    await run(
      `insert into test_items (dataset_no, seq, user_id, id, record_id, "values", version, inserted_at, updated_at)
       select 1, 1, id, id, id, '{}', 0, inserted_at, inserted_at ${user}`,
    )
    await run(`insert into test_people (dataset_no, user_id, handed_out, continued_at) select 1, id, 3, inserted_at ${user}`)
    await run(
      `insert into model_runs (id, dataset_no, connection_id, user_id, name, version, model, setup, dry_run, records, found, total,
         answered, failed, input_tokens, output_tokens, outcome, job_id, inserted_at, updated_at)
       select id, 1, id, id, 'judge', 1, 'small', '{}', 1 = 0, '1', 1, 1, 1, 0, 120, 8, 'finished', id, inserted_at, inserted_at ${user}`,
    )
    await run(
      `insert into snapshots (dataset_no, id, name, at, user_id, next_seq, content)
       select 1, id, 'before', inserted_at, id, 2, '{}' ${user}`,
    )
    await run(
      `insert into run_items (dataset_no, run_id, seq, record_id, results, input_tokens, output_tokens, ms)
       select 1, id, 1, id, '{"topic":{"value":"sport","score":null,"unmatched":0}}', 120, 8, 40 ${user}`,
    )
  })
