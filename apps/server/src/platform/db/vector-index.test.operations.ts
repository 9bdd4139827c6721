import { command, query } from './operations.ts'
import type { NearestQuery } from './vector-index.ts'
import { packVector, unpackVector } from './vector-values.ts'

type Setting = { readonly datasetNo: number; readonly settingNo: number }

export const storeVectors = command(
  'test.vectors.store',
  async (db, args: Setting & { vectors: readonly (readonly number[])[]; from: number }) => {
    await db.dialect.insertMany(
      db.sql,
      'vectors',
      args.vectors.map((values, i) => ({
        dataset_no: args.datasetNo,
        setting_no: args.settingNo,
        seq: args.from + i,
        embedding: db.dialect.vectors.encode(values),
        raw: packVector(values),
        inserted_at: 0,
      })),
    )
  },
)

export const findNearest = query('test.vectors.nearest', (db, args: NearestQuery) => db.dialect.vectors.nearest(db.sql, args))

export const readVectors = query('test.vectors.read', async (db, { datasetNo, settingNo }: Setting) => {
  const rows = await db.sql
    .selectFrom('vectors')
    .select(['seq', 'raw'])
    .where('dataset_no', '=', datasetNo)
    .where('setting_no', '=', settingNo)
    .orderBy('seq')
    .execute()
  return rows.map(({ raw }) => unpackVector(raw))
})

export const buildVectors = query(
  'test.vectors.build',
  (db, args: Setting & { dimensions: number }) => db.dialect.vectors.buildIndex(db.sql, args),
  { single: true },
)
export const dropVectors = query('test.vectors.drop', (db, args: Setting) => db.dialect.vectors.dropIndex(db.sql, args), {
  single: true,
})
