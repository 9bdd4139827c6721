import { query } from '#platform/db/operations.ts'
import type { Micros } from '#platform/time.ts'

type ExistingUser = { readonly id: string; readonly username: string }
type ExistingWorkspace = { readonly id: string; readonly name: string }
type ExistingDataset = ExistingWorkspace & { readonly workspace_id: string; readonly gone: boolean }
export type Membership = { readonly workspace_id: string; readonly user_id: string }
export type ExistingData = {
  readonly users: readonly ExistingUser[]
  readonly workspaces: readonly ExistingWorkspace[]
  readonly memberships: readonly Membership[]
  readonly datasets: readonly ExistingDataset[]
}

/** Lists the users, workspaces, memberships and datasets on this server. */
export const existingData = query('transfer.holdings', async (db, _: null): Promise<ExistingData> => {
  const datasets = await db.sql.selectFrom('datasets').select(['id', 'name', 'workspace_id', 'gone_at']).execute()
  return {
    users: await db.sql.selectFrom('users').select(['id', 'username']).execute(),
    workspaces: await db.sql.selectFrom('workspaces').select(['id', 'name']).execute(),
    memberships: await db.sql.selectFrom('memberships').select(['workspace_id', 'user_id']).execute(),
    datasets: datasets.map(({ gone_at, ...row }) => ({ ...row, gone: gone_at !== null })),
  }
})

/** A dataset's row counts, by kind. */
export type Rows = {
  readonly records: number
  readonly submitted: number
  readonly draft: number
  readonly discarded: number
  readonly suggestions: number
  readonly vectors: number
  readonly gold: number
  readonly comments: number
  readonly snapshots: number
}

/** Counts a dataset's actual rows, instead of reading the stored counters. All zeros if the dataset doesn't exist. */
export const contents = query('transfer.contents', async (db, { id }: { readonly id: string }): Promise<Rows> => {
  const dataset = await db.sql
    .selectFrom('datasets')
    .select('no')
    .where('id', '=', id)
    .where('gone_at', 'is', null)
    .executeTakeFirst()
  const no = dataset?.no ?? -1
  const count = async (table: 'records' | 'suggestions' | 'vectors' | 'gold' | 'comments' | 'snapshots'): Promise<number> => {
    const row = await db.sql
      .selectFrom(table as 'records')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('dataset_no', '=', no)
      .executeTakeFirstOrThrow()
    return row.n
  }
  const answers = await db.sql
    .selectFrom('responses')
    .select(['status', (eb) => eb.fn.countAll<number>().as('n')])
    .where('dataset_no', '=', no)
    .groupBy('status')
    .execute()
  const of = (wanted: string) => answers.find(({ status }) => status === wanted)?.n ?? 0
  return {
    records: await count('records'),
    submitted: of('submitted'),
    draft: of('draft'),
    discarded: of('discarded'),
    suggestions: await count('suggestions'),
    vectors: await count('vectors'),
    gold: await count('gold'),
    comments: await count('comments'),
    snapshots: await count('snapshots'),
  }
})

/** Returns when each deleted record of a dataset was deleted on this server. The keys are record IDs. */
export const deletedRecords = query(
  'transfer.deleted',
  async (db, { id }: { readonly id: string }): Promise<ReadonlyMap<string, Micros>> => {
    const dataset = await db.sql.selectFrom('datasets').select('no').where('id', '=', id).executeTakeFirst()
    const rows = await db.sql
      .selectFrom('history')
      .select(['subject_id', 'at'])
      .where('dataset_no', '=', dataset?.no ?? -1)
      .where('subject', '=', 'record')
      .where('action', '=', 'delete')
      .orderBy('at')
      .execute()
    return new Map(rows.map(({ subject_id, at }) => [subject_id, at]))
  },
)
