import type { AssigneeSummary, OwnAssignments, RecordAssignments } from '@postil/contract/assignments.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { sql } from 'kysely'
import { visibleDatasets } from '#features/datasets/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { type Micros, now, printTime } from '#platform/time.ts'
import { assignmentPolicy } from './policy.ts'
import { assignmentsOf } from './rows.ts'
import { type AssignmentDataset, datasetOf, type InDataset } from './scope.ts'

const listed = async (db: Db, of: InDataset): Promise<AssignmentDataset> => {
  const dataset = await datasetOf(db, of)
  if (!assignmentPolicy.list(of.user, dataset)) throw forbidden()
  return dataset
}

/**
 * The `seq`s of the records that are assigned to a person and still need the person's answer, in ascending order.
 * @throws Problem not_found, forbidden
 */
export const remainingOf = query(
  'assignments.remaining',
  async (db, { user_id, ...of }: InDataset & { readonly user_id: string }): Promise<readonly number[]> => {
    const { no } = await listed(db, of)
    const { rows } = await sql<{ seq: number }>`
      select seq from (${withStates(no, user_id)}) as own where ${isRemaining} order by seq`.execute(db.sql)
    return rows.map(({ seq }) => seq)
  },
)

/**
 * Selects assignments with the status of each record and of the person's answer. Uses scalar subqueries, because they look up
 * records and answers by key regardless of the engine's statistics.
 * @param userId null for all people
 */
const withStates = (datasetNo: number, userId: string | null) => sql`
  select user_id, seq, due_at,
    (select status from records where records.dataset_no = ${datasetNo} and records.seq = assignments.seq) as record_status,
    (select status from responses where responses.dataset_no = ${datasetNo} and responses.seq = assignments.seq
      and responses.user_id = assignments.user_id) as answer
  from assignments where dataset_no = ${datasetNo} ${userId === null ? sql`` : sql`and user_id = ${userId}`}`
const isRemaining = sql`record_status = 'pending' and coalesce(answer, 'draft') = 'draft'`

type Counts = Pick<AssigneeSummary, 'assigned' | 'done' | 'remaining' | 'overdue' | 'due_at'>
type CountRow = {
  readonly user_id: string
  readonly assigned: number
  readonly done: number
  readonly remaining: number
  readonly overdue: number
  readonly due: Micros | null
}

const countAssignments = async (db: Db, datasetNo: number, userId: string | null): Promise<ReadonlyMap<string, Counts>> => {
  const { rows } = await sql<CountRow>`
    select user_id, count(*) as assigned,
      count(case when answer in ('submitted', 'discarded') then 1 end) as done,
      count(case when ${isRemaining} then 1 end) as remaining,
      count(case when ${isRemaining} and due_at <= ${now()} then 1 end) as overdue,
      min(case when ${isRemaining} then due_at end) as due
    from (${withStates(datasetNo, userId)}) as counted group by user_id`.execute(db.sql)
  return new Map(
    rows.map(({ user_id, assigned, done, remaining, overdue, due }) => [
      user_id,
      {
        assigned: Number(assigned),
        done: Number(done),
        remaining: Number(remaining),
        overdue: Number(overdue),
        due_at: due === null ? null : printTime(Number(due)),
      },
    ]),
  )
}

/** The assignments of each person in a dataset, ordered by username. @throws Problem not_found, forbidden */
export const listAssignees = query('assignments.list', async (db, of: InDataset): Promise<AssigneeSummary[]> => {
  const { no, workspace_id } = await listed(db, of)
  const counts = await countAssignments(db, no, null)
  if (counts.size === 0) return []
  const users = await db.sql
    .selectFrom('users')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'users.id').on('memberships.workspace_id', '=', workspace_id),
    )
    .select(['users.id', 'users.username', 'users.role', 'users.deactivated_at', 'users.is_agent'])
    .select('memberships.user_id as member')
    .where('users.id', 'in', [...counts.keys()])
    .orderBy('users.username')
    .execute()
  return users.flatMap(({ id, username, role, deactivated_at, is_agent, member }) => {
    const own = counts.get(id)
    const can_answer = !is_agent && deactivated_at === null && (role === 'owner' || member !== null)
    return own === undefined ? [] : [{ user: { id, username }, can_answer, ...own }]
  })
})

/** The people to whom records are assigned. Unknown records are left out. @throws Problem not_found, forbidden */
export const listRecordAssignees = query(
  'assignments.of-records',
  async (db, { record_ids, ...of }: InDataset & { readonly record_ids: readonly string[] }): Promise<RecordAssignments[]> => {
    const { no } = await listed(db, of)
    const records = await db.sql
      .selectFrom('records')
      .select(['id', 'seq'])
      .where('dataset_no', '=', no)
      .where('id', 'in', [...record_ids])
      .execute()
    const found = await assignmentsOf(
      db,
      no,
      records.map(({ seq }) => seq),
    )
    const ids = [...found.values()].flatMap((list) =>
      list.flatMap(({ user_id, assigned_by }) => [user_id, assigned_by ?? user_id]),
    )
    const users =
      ids.length === 0
        ? []
        : await db.sql
            .selectFrom('users')
            .select(['id', 'username'])
            .where('id', 'in', [...new Set(ids)])
            .execute()
    const names = new Map(users.map(({ id, username }) => [id, username]))
    return records.map(({ id, seq }) => ({
      record_id: id,
      users: (found.get(seq) ?? [])
        .flatMap(({ user_id, due_at, assigned_by, assigned_at }) => {
          const username = names.get(user_id)
          return username === undefined
            ? []
            : [
                {
                  id: user_id,
                  username,
                  due_at: due_at === null ? null : printTime(due_at),
                  assigned_at: printTime(assigned_at),
                  assigned_by: names.get(assigned_by ?? '') ?? null,
                },
              ]
        })
        .sort((a, b) => (a.username < b.username ? -1 : 1)),
    }))
  },
)

/** The caller's assignments in each dataset that has any, oldest dataset first. */
export const listOwnAssignments = query(
  'assignments.mine',
  async (db, { user }: { readonly user: Actor }): Promise<OwnAssignments[]> => {
    const datasets = await visibleDatasets(db, user)
    const found: OwnAssignments[] = []
    for (const { id, no, name } of await datasetsWithAssignments(db, datasets)) {
      const own = (await countAssignments(db, no, user.id)).get(user.id)
      if (own !== undefined) found.push({ dataset: { id, name }, ...own })
    }
    return found
  },
)

/** Returns which of these datasets have or had assignments. */
export const datasetsWithAssignments = async <D extends { readonly no: number }>(
  db: Db,
  datasets: readonly D[],
): Promise<readonly D[]> => {
  if (datasets.length === 0) return []
  const rows = await db.sql
    .selectFrom('dataset_state')
    .select('dataset_no')
    .where(
      'dataset_no',
      'in',
      datasets.map(({ no }) => no),
    )
    .where('assignments_version', '>', 0)
    .execute()
  const numbers = new Set(rows.map(({ dataset_no }) => dataset_no))
  return datasets.filter(({ no }) => numbers.has(no))
}

/** The numbers of a workspace's datasets. */
export const datasetNumbers = query(
  'assignments.datasets',
  async (db, { workspace_id }: { readonly workspace_id: string }): Promise<readonly number[]> => {
    const datasets = await db.sql
      .selectFrom('datasets')
      .select('no')
      .where('workspace_id', '=', workspace_id)
      .orderBy('no')
      .execute()
    return (await datasetsWithAssignments(db, datasets)).map(({ no }) => no)
  },
)
