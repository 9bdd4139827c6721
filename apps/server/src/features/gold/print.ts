import type { Gold } from '@postil/contract/gold.ts'
import type { Db } from '#platform/db/db.ts'
import { type Micros, printTime } from '#platform/time.ts'
import type { StoredGold } from './rows.ts'

export type Usernames = ReadonlyMap<string, string>

/** The usernames of the users who still exist, by ID. */
export const usernamesOf = async (db: Db, ids: Iterable<string>): Promise<Usernames> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.sql.selectFrom('users').select(['id', 'username']).where('id', 'in', wanted).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/** The users whose IDs occur in final answers. */
export const usersIn = ({ values, user_id }: StoredGold): readonly string[] => [
  user_id,
  ...Object.values(values).map(({ by }) => by),
]

export const authorOf = (id: string, names: Usernames) => ({ id, username: names.get(id) ?? null })

const schemaVersionOf = (no: number) => (no === 0 ? {} : { schema_version: no })

/**
 * Converts final answers to their wire format.
 * @param versionAt returns the number of the schema version at a time, or 0 if there was none. If it returns 0, as it does by
 * default, no version is printed
 */
export const printGold = (gold: StoredGold, names: Usernames, versionAt: (time: Micros) => number = () => 0): Gold => ({
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
  ...schemaVersionOf(versionAt(gold.updated_at)),
  updated_at: printTime(gold.updated_at),
})
