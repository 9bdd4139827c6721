import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import { enqueueJob, jobKind, startStepTimer } from '#platform/jobs/kinds.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { metadataIndexRows } from '#question-types/index-rows.ts'

const RECORDS_PER_BATCH = 50

type Property = { readonly no: number; readonly name: string; readonly settings: { readonly type: MetadataKind } }

/** Fills one batch of records after a `seq`. @returns the batch's last `seq` and size; null at the end */
const fillBatch = async (
  db: Db,
  datasetNo: number,
  property: Property,
  after: number,
): Promise<{ last: number; count: number } | null> => {
  const records = await db.dialect
    .forUpdate(
      db.sql
        .selectFrom('records')
        .select(['seq', 'metadata'])
        .where('dataset_no', '=', datasetNo)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(RECORDS_PER_BATCH),
    )
    .execute()
  const last = records.at(-1)
  if (last === undefined) return null
  const seqs = records.map(({ seq }) => seq)
  for (const table of ['record_terms', 'record_numbers'] as const) {
    // Records written after the property was created already have rows. These rows are deleted, so that no row is stored twice
    await db.sql
      .deleteFrom(table)
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', seqs)
      .where('key', '=', indexKey(property.no))
      .execute()
  }
  const rows = records.flatMap(({ seq, metadata }) => {
    if (metadata === null || !Object.hasOwn(metadata, property.name)) return []
    return [{ seq, ...metadataIndexRows(property, metadata[property.name] as JsonValue) }]
  })
  const place = { dataset_no: datasetNo }
  await db.dialect.insertMany(
    db.sql,
    'record_terms',
    rows.flatMap(({ seq, terms }) => terms.map(({ key, value_key }) => ({ ...place, key, value_key, seq }))),
  )
  await db.dialect.insertMany(
    db.sql,
    'record_numbers',
    rows.flatMap(({ seq, numbers }) => numbers.map(({ key, number }) => ({ ...place, key, number, seq }))),
  )
  return { last: last.seq, count: records.length }
}

const propertyOf = (db: Db, datasetNo: number, no: number) =>
  db.sql
    .selectFrom('metadata_properties')
    .innerJoin('datasets', 'datasets.id', 'metadata_properties.dataset_id')
    .select(['metadata_properties.name', 'metadata_properties.no', 'metadata_properties.settings'])
    .where('datasets.no', '=', datasetNo)
    .where('datasets.gone_at', 'is', null)
    .where('metadata_properties.no', '=', no)
    .executeTakeFirst()

/** Fills the index rows of a metadata property that was added to a dataset with records. */
const backfillProperty = jobKind('property.backfill', async (db, { dataset_no, args, done }) => {
  if (dataset_no === null) throw new Error('a property backfill requires a dataset')
  const property = await propertyOf(db, dataset_no, Number(args.property_no))
  if (property === undefined) return { finished: true }
  const hasTime = startStepTimer()
  let after = Number(args.after_seq ?? -1)
  let filled = 0
  while (hasTime()) {
    // Settings were validated by the schema of their type when they were stored.
    const batch = await fillBatch(db, dataset_no, property as unknown as Property, after)
    if (batch === null) return { finished: true, done: done + filled }
    after = batch.last
    filled += batch.count
  }
  return { finished: false, args: { ...args, after_seq: after }, done: done + filled }
})

/**
 * Starts indexing the records that are older than a metadata property. Until this is done, `unfilledProperties` contains the
 * property. Must be called in the command that creates the property and locks the dataset with `lockDatasetChanges`.
 */
export const enqueueBackfill = async (db: Db, datasetNo: number, propertyNo: number): Promise<void> => {
  const first = await db.sql.selectFrom('records').select('seq').where('dataset_no', '=', datasetNo).limit(1).executeTakeFirst()
  if (first === undefined) return
  await enqueueJob(db, backfillProperty, { dataset_no: datasetNo, args: { property_no: propertyNo } })
}

/** Numbers (`no`) of the dataset's metadata properties whose index rows are incomplete. */
export const unfilledProperties = async (db: Db, datasetNo: number): Promise<ReadonlySet<number>> => {
  const rows = await db.sql
    .selectFrom('jobs')
    .select('args')
    .where('state', 'in', [...UNFINISHED, 'failed'])
    .where('kind', '=', backfillProperty.kind)
    .where('dataset_no', '=', datasetNo)
    .execute()
  return new Set(rows.map(({ args }) => Number(args.property_no)))
}
