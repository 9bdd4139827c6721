import { setTimeout as pause } from 'node:timers/promises'
import { command, query } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'

type Setting = { readonly datasetNo: number; readonly settingNo: number; readonly dimensions: number }

/** Makes the index of a large vector setting where the engine uses one; takes minutes, and locks nobody out. */
const buildWhole = query(
  'search.build-vector-index',
  (db, setting: Setting): Promise<void> => db.dialect.vectors.buildIndex(db.sql, setting),
  { single: true },
)

const buildPart = command(
  'search.build-vector-part',
  (db, part: Omit<Setting, 'dimensions'> & { readonly from: number }): Promise<number | null> =>
    db.dialect.vectors.buildPart(db.sql, part),
)

/** Between two parts, so that people who write meanwhile hardly wait: a part takes half of this. */
const REST_MS = 10

/** Makes what a large vector setting is searched by, in the way of the engine, or what is missing of it. */
export const buildVectorIndex = async (store: Store, setting: Setting): Promise<void> => {
  // NOTE: not in the lane of slow queries, which a replica answers: the primary makes the index, and the replica would keep its snapshot for minutes
  await store.read(buildWhole, setting)
  const { datasetNo, settingNo } = setting
  for (let from: number | null = 0; from !== null; ) {
    from = await store.write(buildPart, { datasetNo, settingNo, from })
    await pause(REST_MS, undefined, { ref: false })
  }
}
