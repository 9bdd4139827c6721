import { setTimeout as pause } from 'node:timers/promises'
import { command, query } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'

type Setting = { readonly datasetNo: number; readonly settingNo: number; readonly dimensions: number }

/** Builds the index of a large vector setting if the engine uses one. Takes minutes, and blocks nobody. */
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

/** Pause between two parts, so that other writers hardly wait. A part takes half as long. */
const REST_MS = 10

/** Builds the engine's search structure for a large vector setting, or its missing part. */
export const buildVectorIndex = async (store: Store, setting: Setting): Promise<void> => {
  // Not in the slow lane, which a replica may serve: only the primary can build the index, and the replica would keep its
  // snapshot for minutes.
  await store.read(buildWhole, setting)
  const { datasetNo, settingNo } = setting
  for (let from: number | null = 0; from !== null; ) {
    from = await store.write(buildPart, { datasetNo, settingNo, from })
    await pause(REST_MS, undefined, { ref: false })
  }
}
