import { indexText, mayNameFiles, sweepLater } from '#features/jobs/service.ts'
import { removeResponsesOfRecords, slotOf, Tally, writeTally } from '#features/responses/service.ts'
import { serverFieldType } from '#field-types/registry.ts'
import { contentChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import { emitRecords } from './events.ts'
import { dropDerived } from './rows/derived.ts'
import { countInBlocks, keepRecordImages } from './rows/record-rows.ts'
import type { StoredRecord } from './rows/stored-record.ts'
import { loadSchema } from './schema.ts'
import type { ScopeDataset } from './scope.ts'
import { storedTokens } from './text.ts'

/**
 * Deletes records with everything that hangs on them; answers leave their tombstones, and history keeps what was. `records` are locked and come in
 * the order of `seq`.
 */
export const removeRecords = async (
  db: Db,
  { dataset, actor, records }: { dataset: ScopeDataset; actor: string; records: readonly StoredRecord[] },
): Promise<void> => {
  if (records.length === 0) return
  const schema = await loadSchema(db, dataset.id)
  const seqs = records.map(({ seq }) => seq)
  await contentChanged(db, dataset.no)
  await keepRecordImages(db, dataset.no, records, { action: 'delete', actor })
  await dropDerived(db, dataset.no, seqs, null)
  for (const table of ['suggestions', 'vectors', 'leases', 'records'] as const) {
    await db.sql.deleteFrom(table).where('dataset_no', '=', dataset.no).where('seq', 'in', db.dialect.listed(seqs)).execute()
  }
  await indexText(
    db,
    dataset.no,
    records.map(({ seq, fields_json }) => ({ seq, before: storedTokens(fields_json, schema), after: null })),
  )
  await countInBlocks(db, dataset.no, seqs, -1)
  // NOTE: what the records show now is not all: their history goes with them, and may name other images
  const hasPictures = schema.fields.some(({ settings }) => serverFieldType(settings.type).holdsPictures)
  if (hasPictures || records.some(({ fields_json }) => mayNameFiles(fields_json))) await sweepLater(db, dataset)
  const tally = new Tally()
  for (const { status } of records) tally.addRecord(status, -1)
  await writeTally(db, dataset.no, slotOf(actor), tally)
  await removeResponsesOfRecords(db, { dataset_no: dataset.no, records, actor })
  await emitRecords(
    db,
    dataset.no,
    records.map((record) => ({ event: 'record.deleted' as const, record })),
  )
}
