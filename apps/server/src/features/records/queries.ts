import { forbidden } from '@postil/contract/wire/errors.ts'
import { type Include, includeAll } from '@postil/contract/wire/query-lists.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { presentPage, type RecordPage } from './page.ts'
import { recordPolicy } from './policy.ts'
import { fullView, viewerOf } from './present.ts'
import { BLOCK } from './rows/record-rows.ts'
import { datasetScope, recordScope } from './scope.ts'

/** @throws Problem not_found, forbidden */
export const getRecord = query(
  'records.get',
  async (
    db,
    { user, record_id }: { readonly user: Actor; readonly record_id: string },
  ): Promise<RecordPage & { readonly dataset_id: string }> => {
    const { dataset, record } = await recordScope(db, record_id, user, { hold: false })
    if (!recordPolicy.get(user, dataset)) throw forbidden()
    const viewer = await viewerOf(db, dataset.id, user, { own: false })
    return { ...(await presentPage(db, dataset, [record.seq], { include: includeAll, viewer })), dataset_id: dataset.id }
  },
)

/** Finds the start of a page: the block that contains the offset, and how many of its records to skip. */
const startOf = async (db: Db, datasetNo: number, offset: number): Promise<{ seq: number; skip: number } | null> => {
  const row = await db.sql
    .selectFrom((eb) =>
      eb
        .selectFrom('record_blocks')
        .select([
          'block',
          'n',
          (sum) =>
            sum.fn
              .sum<number>('n')
              .over((over) => over.orderBy('block'))
              .as('upto'),
        ])
        .where('dataset_no', '=', datasetNo)
        .as('blocks'),
    )
    .select(['block', 'n', 'upto'])
    .where('upto', '>', offset)
    .orderBy('block')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { seq: row.block * BLOCK, skip: offset - (row.upto - row.n) }
}

/**
 * Returns the `seq`s of a page of all records in insertion order. Regardless of the offset, this costs as much as reading one
 * block.
 */
export const pageSeqs = async (
  db: Db,
  datasetNo: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly number[]> => {
  const start = await startOf(db, datasetNo, offset)
  if (start === null) return []
  const rows = await db.sql
    .selectFrom('records')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>=', start.seq)
    .orderBy('seq')
    .offset(start.skip)
    .limit(limit)
    .execute()
  return rows.map(({ seq }) => seq)
}

/** Returns the dataset's number of records. */
export const countRecords = async (db: Db, datasetNo: number): Promise<number> => {
  const row = await db.sql
    .selectFrom('dataset_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
    .where('kind', 'in', ['pending', 'completed'])
    .executeTakeFirst()
  return row?.n ?? 0
}

type ListArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly offset: number
  readonly limit: number
  readonly include: Include
}

/** @throws Problem not_found, forbidden */
export const listRecords = query(
  'records.list',
  async (db, { user, dataset_id, include, ...page }: ListArgs): Promise<RecordPage & { readonly total: number }> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: false })
    if (!recordPolicy.list(user, dataset)) throw forbidden()
    const seqs = await pageSeqs(db, dataset.no, page)
    const listed = await presentPage(db, dataset, seqs, { include, viewer: fullView })
    return { ...listed, total: await countRecords(db, dataset.no) }
  },
)
