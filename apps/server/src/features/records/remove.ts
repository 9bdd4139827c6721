import { removeComments } from '#features/comments/public.ts'
import { removeGold } from '#features/gold/public.ts'
import { enqueueSweep, indexText, mayNameFiles } from '#features/jobs/public.ts'
import { removeResponsesOfRecords, Tally, writeTally } from '#features/responses/public.ts'
import { serverFieldType } from '#field-types/registry.ts'
import { contentChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import { emitRecords } from './events.ts'
import { dropDerived } from './rows/derived.ts'
import { countInBlocks, storeRecordImages } from './rows/record-rows.ts'
import type { StoredRecord } from './rows/stored-record.ts'
import { loadSchema } from './schema.ts'
import type { ScopeDataset } from './scope.ts'
import { storedTokens } from './text.ts'

/**
 * Deletes records with everything that belongs to them. Answers leave tombstones, and the history keeps earlier versions.
 * `records` must be locked and sorted by `seq`.
 */
export const removeRecords = async (
  db: Db,
  { dataset, actor, records }: { dataset: ScopeDataset; actor: string; records: readonly StoredRecord[] },
): Promise<void> => {
  if (records.length === 0) return
  const schema = await loadSchema(db, dataset.id)
  const seqs = records.map(({ seq }) => seq)
  await contentChanged(db, dataset.no)
  await storeRecordImages(db, dataset.no, records, { action: 'delete', actor })
  await dropDerived(db, dataset.no, seqs, null)
  const tables = ['suggestions', 'vectors', 'leases', 'assignments', 'test_items', 'run_items', 'records'] as const
  for (const table of tables) {
    await db.sql.deleteFrom(table).where('dataset_no', '=', dataset.no).where('seq', 'in', db.dialect.listed(seqs)).execute()
  }
  await removeComments(db, dataset.no, seqs)
  await removeGold(db, dataset.no, seqs, actor)
  await indexText(
    db,
    dataset.no,
    records.map(({ seq, fields_json }) => ({ seq, before: storedTokens(fields_json, schema), after: null })),
  )
  await countInBlocks(db, dataset.no, seqs, -1)
  // Checking the current content isn't enough. Earlier versions of these records may refer to other images. Nobody can restore
  // these versions now, so their images can be deleted too.
  const hasImages = schema.fields.some(({ settings }) => serverFieldType(settings).holdsImages)
  if (hasImages || records.some(({ fields_json }) => mayNameFiles(fields_json))) await enqueueSweep(db, dataset)
  const tally = new Tally()
  for (const { status, extra_answers } of records) tally.addRecord(status, -1, extra_answers)
  await writeTally(db, dataset.no, actor, tally)
  await removeResponsesOfRecords(db, { dataset, records, actor })
  await emitRecords(
    db,
    dataset.no,
    records.map((record) => ({ event: 'record.deleted' as const, record })),
  )
}
