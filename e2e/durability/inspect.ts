import { join } from 'node:path'
import { recount } from '@postil/server/features/records/public.ts'
import type { Db } from '@postil/server/platform/db/db.ts'
import { query } from '@postil/server/platform/db/operations.ts'
import { openPostgres } from '@postil/server/platform/db/postgres/open.ts'
import { openConnection } from '@postil/server/platform/db/sqlite/connection.ts'
import { createDb } from '@postil/server/platform/db/sqlite/create-db.ts'
import type { Store } from '@postil/server/platform/db/store.ts'
import type { TableName } from '@postil/server/platform/db/tables.ts'
import { tables } from '@postil/server/platform/db/tables.ts'
import type { Place } from '#harness/server.ts'

type Reader = Pick<Store, 'read'>

/** Opens a server's database for reading from this process, runs the callback, and closes the database. */
const withStore = async <T>({ dataDir, databaseUrl }: Place, use: (reader: Reader) => Promise<T>): Promise<T> => {
  if (databaseUrl !== undefined) {
    const store = await openPostgres({ url: databaseUrl, poolSize: 1 })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }
  const connection = openConnection(join(dataDir, 'postil.db'), 'reader')
  const db: Db = createDb(connection)
  try {
    return await use({
      read: async (operation, args) => {
        connection.exec('BEGIN')
        try {
          return await operation.run(db, args)
        } finally {
          connection.exec('COMMIT')
        }
      },
    })
  } finally {
    connection.close()
  }
}

/** The stored counts that differ from a recount of records and answers. */
export const findDifferences = (place: Place) =>
  withStore(place, (store) => recount({ store } as unknown as Parameters<typeof recount>[0]))

const runningJobs = query('e2e.running-jobs', async (db, _: object) => {
  const rows = await db.sql.selectFrom('jobs').select(['kind', 'state']).where('state', 'in', ['queued', 'started']).execute()
  return rows.map(({ kind, state }) => `${kind} ${state}`)
})

/** Jobs that are running or queued. */
export const listActiveJobs = (place: Place) => withStore(place, (store) => store.read(runningJobs, {}))

const dueTextsQuery = query('e2e.texts-due', async (db, { datasetId }: { datasetId: string }) => {
  const row = await db.sql
    .selectFrom('dataset_state')
    .innerJoin('datasets', 'datasets.no', 'dataset_state.dataset_no')
    .select('text_due_from')
    .where('datasets.id', '=', datasetId)
    .executeTakeFirstOrThrow()
  return row.text_due_from !== null
})

/** Whether some text in the dataset's new records is not indexed yet. */
export const hasDueTexts = (place: Place, datasetId: string) =>
  withStore(place, (store) => store.read(dueTextsQuery, { datasetId }))

const rowCounts = query('e2e.row-counts', async (db, { datasetId }: { datasetId: string }) => {
  const dataset = await db.sql.selectFrom('datasets').select('no').where('id', '=', datasetId).executeTakeFirst()
  const counts: { [table: string]: number } = {}
  for (const [table, columns] of Object.entries(tables)) {
    if (table === 'jobs' || table === 'outbox' || !('dataset_no' in columns) || dataset === undefined) continue
    const { n } = await db.sql
      .selectFrom(table as 'records')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('dataset_no', '=', dataset.no)
      .executeTakeFirstOrThrow()
    if (n > 0) counts[table as TableName] = n
  }
  return counts
})

/** Counts the rows of a dataset in each table. Empty after the dataset is purged. */
export const countDatasetRows = (place: Place, datasetId: string) =>
  withStore(place, (store) => store.read(rowCounts, { datasetId }))
