import { setTimeout as pause } from 'node:timers/promises'
import { command, query } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'

type Setting = { readonly datasetNo: number; readonly settingNo: number; readonly dimensions: number }

/** Builds a large vector setting's index, if the engine uses one. Takes minutes but blocks no other operation. */
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

/**
 * Pause after each part of a build, in milliseconds, so that other writers rarely wait. Building a part takes about half as long.
 */
const REST_MS = 10

/** Builds the engine's index for a large vector setting. If part of the index exists, builds only the rest. */
export const buildVectorIndex = async (store: Store, setting: Setting): Promise<void> => {
  // This read must not use the slow lane, because a replica may serve that lane. A replica can't build the index, and it would
  // keep its snapshot for minutes.
  await store.read(buildWhole, setting)
  const { datasetNo, settingNo } = setting
  for (let from: number | null = 0; from !== null; ) {
    from = await store.write(buildPart, { datasetNo, settingNo, from })
    await pause(REST_MS, undefined, { ref: false })
  }
}
