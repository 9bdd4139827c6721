import type { AnsweredBy } from '@postil/contract/home.ts'
import { maxListedPeople } from '@postil/contract/home.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

const nobody: AnsweredBy = { usernames: [], total: 0 }

/** The users who have answers in each of the given datasets, by dataset number. Reads the counters in one statement. */
export const answeredBy = async (db: Db, datasetNos: readonly number[]): Promise<(datasetNo: number) => AnsweredBy> => {
  const counts = db.sql
    .selectFrom('user_counts')
    .select(['dataset_no', 'user_id', (eb) => eb.fn.sum<number>('n').as('answers')])
    .where('dataset_no', 'in', datasetNos.length === 0 ? [-1] : datasetNos)
    .where('n', '>', 0)
    .groupBy(['dataset_no', 'user_id'])
  const people = db.sql
    .selectFrom(counts.as('counts'))
    // Users are joined before the rows are numbered, so that deleted users get no number. Their answers may still be counted.
    .innerJoin('users', 'users.id', 'counts.user_id')
    .select([
      'dataset_no',
      'username',
      sql<number>`row_number() over (partition by dataset_no order by answers desc, user_id)`.as('place'),
      sql<number>`count(*) over (partition by dataset_no)`.as('total'),
    ])
  const rows = await db.sql
    .selectFrom(people.as('people'))
    .selectAll()
    .where('place', '<=', maxListedPeople)
    .orderBy('dataset_no')
    .orderBy('place')
    .execute()
  const byDataset = Map.groupBy(rows, ({ dataset_no }) => dataset_no)
  return (datasetNo) => {
    const first = byDataset.get(datasetNo)
    return first === undefined ? nobody : { usernames: first.map(({ username }) => username), total: Number(first[0]?.total) }
  }
}
