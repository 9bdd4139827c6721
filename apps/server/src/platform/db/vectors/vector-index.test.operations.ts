import { CompiledQuery } from 'kysely'
import { ensureState } from '../dataset-state.test.operations.ts'
import { command, query } from '../operations.ts'
import type { NearestQuery } from './vector-index.ts'
import { packVector, unpackVector } from './vector-values.ts'

type Setting = { readonly datasetNo: number; readonly settingNo: number }

export const storeVectors = command(
  'test.vectors.store',
  async (db, args: Setting & { vectors: readonly (readonly number[])[]; from: number }) => {
    await ensureState(db, args.datasetNo)
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
export const buildVectorPart = command('test.vectors.build-part', (db, args: Setting & { from: number }) =>
  db.dialect.vectors.buildPart(db.sql, args),
)
export const dropVectorParts = command('test.vectors.drop-parts', (db, { datasetNo }: Setting) =>
  db.dialect.vectors.dropParts(db.sql, datasetNo),
)
export const changeVector = command(
  'test.vectors.change',
  async (db, args: Setting & { seq: number; values: readonly number[] }) => {
    const { embedding, raw } = { embedding: db.dialect.vectors.encode(args.values), raw: packVector(args.values) }
    await db.sql
      .updateTable('vectors')
      .set({ embedding, raw })
      .where('dataset_no', '=', args.datasetNo)
      .where('setting_no', '=', args.settingNo)
      .where('seq', '=', args.seq)
      .execute()
  },
)
export const removeVector = command('test.vectors.remove', async (db, args: Setting & { seq: number }) => {
  await db.sql
    .deleteFrom('vectors')
    .where('dataset_no', '=', args.datasetNo)
    .where('setting_no', '=', args.settingNo)
    .where('seq', '=', args.seq)
    .execute()
})
export const dropVectors = query('test.vectors.drop', (db, args: Setting) => db.dialect.vectors.dropIndex(db.sql, args), {
  single: true,
})
/** Replaces the index with one that finds almost nothing. PostgreSQL only. */
export const spoilIndex = command('test.vectors.spoil', async ({ sql }, args: Setting & { dimensions: number }) => {
  const name = `vectors_hnsw_${args.datasetNo}_${args.settingNo}`
  const vector = `vector(${args.dimensions})`
  await sql.executeQuery(CompiledQuery.raw(`drop index ${name}`))
  await sql.executeQuery(
    CompiledQuery.raw(`create index ${name} on vectors using hnsw ((embedding::${vector}) vector_cosine_ops)
      with (m = 2, ef_construction = 4) where dataset_no = ${args.datasetNo} and setting_no = ${args.settingNo}`),
  )
})
