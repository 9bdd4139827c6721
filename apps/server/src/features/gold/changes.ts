import { jsonEquals } from '@postil/contract/wire/json.ts'
import { sql } from 'kysely'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { ResponseStatus, ResponseValues } from '#platform/db/tables.ts'
import { newDatasetId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'
import { goldOfRecords, type StoredGold } from './rows.ts'

type Place = { readonly datasetNo: number; readonly seq: number }

/** Saves records' previous final answers when they are replaced or deleted. */
export const storeGoldImages = (
  db: Db,
  images: readonly (Place & {
    readonly gold: StoredGold
    /** When the final answers were changed on the server from which they are copied. */
    readonly changedAt?: Micros
  })[],
  {
    action,
    actor,
    schemaVersion,
  }: {
    readonly action: 'update' | 'delete'
    readonly actor: string | null
    /** The schema version with the new labels. Set if the final answers change because labels changed. */
    readonly schemaVersion?: number
  },
): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'history',
    images.map(({ datasetNo, seq, gold, changedAt }) => ({
      dataset_no: datasetNo,
      seq,
      id: newDatasetId(datasetNo),
      subject: 'gold' as const,
      subject_id: gold.record_id,
      action,
      user_id: actor,
      at: changedAt ?? now(),
      image: json({ ...gold, ...(schemaVersion !== undefined && { schema_version: schemaVersion }) }),
    })),
  )

type Answer = { readonly id: string; readonly status: ResponseStatus; readonly values: ResponseValues }
type AnswerChange = {
  readonly record: { readonly seq: number }
  readonly before: Answer | null
  readonly after: Answer | null
}

/**
 * Whether a submitted answer is deleted, is no longer submitted, or gets other values. A reviewer may have seen the old values.
 */
const isWithdrawn = ({ before, after }: AnswerChange): boolean =>
  before?.status === 'submitted' && !(after?.status === 'submitted' && jsonEquals(before.values, after.values))

type Withdrawn = { readonly dataset_no: number; readonly seq: number; readonly id: string }
/** Marks final answers as stale in the most common case: only one answer is withdrawn. */
const outdateGoldOf = prepared((db, { dataset_no, seq, id }: Withdrawn) =>
  db.sql
    .updateTable('gold')
    .set({ stale: true })
    .where('dataset_no', '=', dataset_no)
    .where('seq', '=', seq)
    .where('stale', '=', false)
    .where(sql<boolean>`basis like '%' || cast(${id} as text) || '%'`),
)

/** Marks the final answers of records as stale if they are based on an answer that changes. */
export const outdateGoldOfAnswers = async (db: Db, datasetNo: number, changes: readonly AnswerChange[]): Promise<void> => {
  const withdrawn = changes.filter(isWithdrawn)
  const [only] = withdrawn
  if (only === undefined) return
  if (withdrawn.length === 1 && only.before !== null) {
    await outdateGoldOf(db, { dataset_no: datasetNo, seq: only.record.seq, id: only.before.id })
    return
  }
  const seqs = withdrawn.map(({ record }) => record.seq)
  const ids = withdrawn.flatMap(({ before }) => before?.id ?? [])
  await sql`update gold set stale = true where dataset_no = ${datasetNo} and seq in ${db.dialect.listed(seqs)} and not stale
    and exists (select 1 from ${db.dialect.each(ids, 'text')} where basis like '%' || each.value || '%')`.execute(db.sql)
}

/** Marks the final answers of records as stale, because the records' fields change. */
export const outdateGold = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<void> => {
  if (seqs.length === 0) return
  await db.sql
    .updateTable('gold')
    .set({ stale: true })
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where('stale', '=', false)
    .execute()
}

/** Deletes the final answers and review leases of records that are deleted. The history keeps the answers. */
export const removeGold = async (db: Db, datasetNo: number, seqs: readonly number[], actor: string): Promise<void> => {
  const stored = await goldOfRecords(db, datasetNo, seqs)
  await storeGoldImages(
    db,
    [...stored].map(([seq, gold]) => ({ datasetNo, seq, gold })),
    { action: 'delete', actor },
  )
  for (const table of ['gold', 'review_leases'] as const) {
    await db.sql.deleteFrom(table).where('dataset_no', '=', datasetNo).where('seq', 'in', db.dialect.listed(seqs)).execute()
  }
}
