import type { ActiveTime } from '@postil/contract/active-time.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'

/**
 * The submitted answers with active time. The conditions are literals instead of parameters, so that the databases can use the
 * partial index.
 */
const timed = (datasetNo: number) =>
  sql`responses where dataset_no = ${datasetNo} and status = 'submitted' and active_ms is not null`

/** Returns a quantile of a user's active times. Interpolates linearly between the two nearest times. */
const quantile = async (
  db: Db,
  datasetNo: number,
  { user_id, answers, at }: { user_id: string; answers: number; at: number },
) => {
  const position = (answers - 1) * at
  const { rows } = await sql<{ active_ms: number }>`
    select active_ms from ${timed(datasetNo)} and user_id = ${user_id}
    order by active_ms limit 2 offset ${Math.floor(position)}`.execute(db.sql)
  const [first = 0, second = first] = rows.map(({ active_ms }) => Number(active_ms))
  return first + (second - first) * (position - Math.floor(position))
}

const quartiles = async (db: Db, datasetNo: number, of: { user_id: string; answers: number }): Promise<ActiveTime> => {
  const at = (share: number) => quantile(db, datasetNo, { ...of, at: share })
  const [lower_ms, median_ms, upper_ms] = await pipeline([at(0.25), at(0.5), at(0.75)])
  return { answers: of.answers, lower_ms, median_ms, upper_ms }
}

/** Returns the active time per submitted answer, by user. Leaves out users without active time. */
export const activeTimes = async (db: Db, datasetNo: number): Promise<ReadonlyMap<string, ActiveTime>> => {
  const { rows } = await sql<{ user_id: string; n: number }>`
    select user_id, count(*) as n from ${timed(datasetNo)} group by user_id`.execute(db.sql)
  const timeOf = async ({ user_id, n }: (typeof rows)[number]): Promise<[string, ActiveTime]> => [
    user_id,
    await quartiles(db, datasetNo, { user_id, answers: Number(n) }),
  ]
  return new Map(await pipeline(rows.map(timeOf)))
}

/** Returns a user's active time per submitted answer. Null if no submitted answer of the user has an active time. */
export const activeTimeOf = async (db: Db, datasetNo: number, user_id: string): Promise<ActiveTime | null> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${timed(datasetNo)} and user_id = ${user_id}`.execute(db.sql)
  const answers = Number(rows[0]?.n ?? 0)
  return answers === 0 ? null : quartiles(db, datasetNo, { user_id, answers })
}
