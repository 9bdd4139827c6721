import type { Gold } from '@postil/contract/gold.ts'
import type { Db } from '#platform/db/db.ts'
import { printTime } from '#platform/time.ts'
import type { StoredGold } from './rows.ts'

export type Usernames = ReadonlyMap<string, string>

/** The usernames of the users who still exist, by ID. */
export const usernamesOf = async (db: Db, ids: Iterable<string>): Promise<Usernames> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.sql.selectFrom('users').select(['id', 'username']).where('id', 'in', wanted).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/** The users named in final answers. */
export const usersIn = ({ values, user_id }: StoredGold): readonly string[] => [
  user_id,
  ...Object.values(values).map(({ by }) => by),
]

export const authorOf = (id: string, names: Usernames) => ({ id, username: names.get(id) ?? null })

/** Final answers in their wire format. */
export const printGold = (gold: StoredGold, names: Usernames): Gold => ({
  record_id: gold.record_id,
  values: Object.fromEntries(
    Object.entries(gold.values).map(([question, { by, at, ...answer }]) => [
      question,
      { ...answer, by: authorOf(by, names), at: printTime(at) },
    ]),
  ),
  final: gold.final,
  stale: gold.stale,
  version: gold.version,
  by: authorOf(gold.user_id, names),
  updated_at: printTime(gold.updated_at),
})
