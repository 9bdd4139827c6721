import { query } from '#platform/db/operations.ts'

type Setting = { readonly datasetNo: number; readonly settingNo: number; readonly dimensions: number }

/** Makes the index of a large vector setting where the engine uses one; takes minutes, and locks nobody out. */
export const buildVectorIndex = query(
  'search.build-vector-index',
  (db, setting: Setting): Promise<void> => db.dialect.vectors.buildIndex(db.sql, setting),
  { single: true },
)
