import type { Include } from '@postil/contract/wire/query-lists.ts'
import { mayPublish } from '#features/gold/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { BATCH_BYTES, batchesOf } from '#platform/db/batches.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import type { Shares } from '#platform/shares.ts'
import { type Presented, type PresentedDataset, type PresentedRecord, presentRecords, type Viewer, viewerOf } from './present.ts'
import { bytesBySeq, type SizedParts, totalBytes } from './rows/rows-at.ts'
import { datasetScope } from './scope.ts'

type View = Pick<Presented, 'include' | 'testSeqs'> & { readonly viewer: Viewer }

const partsOf = (dataset: PresentedDataset, { include, viewer }: View): SizedParts => ({
  suggestions: include.suggestions,
  vectors: include.vectors !== 'none',
  gold: viewer.insights && (include.gold || (include.responses && mayPublish(dataset))),
  comments: include.comments ?? false,
  responses: include.responses ? (viewer.responsesOf ?? 'all') : 'none',
})

/** Records as JSON. If they are too large for one read, batches of `seq`s that are read one after another. */
export type RecordPage = { readonly presented: readonly PresentedRecord[] } | RecordBatches
export type RecordBatches = { readonly batches: readonly (readonly number[])[] }

/**
 * Presents records in the order of `seqs`. If the records are too large for one batch, presents none. Instead, returns `seqs`
 * divided into batches, which the caller reads one after another.
 */
export const presentPage = async (
  db: Db,
  dataset: PresentedDataset,
  seqs: readonly number[],
  view: View,
): Promise<RecordPage> => {
  if (seqs.length === 0) return { presented: [] }
  const presented = await presentSmall(db, dataset, seqs, view)
  return presented.length > 0 ? { presented } : splitIntoBatches(db, dataset, seqs, view)
}

/**
 * Presents records if their total size fits in one batch. If final answers and comments aren't included, the statements that read
 * the records also check the size. This saves a round trip to PostgreSQL (`npm run bench`, "next page"). Otherwise, a separate
 * statement checks the size first.
 * @returns an empty list if the records are too large
 */
const presentSmall = async (
  db: Db,
  dataset: PresentedDataset,
  seqs: readonly number[],
  view: View,
): Promise<readonly PresentedRecord[]> => {
  const parts = partsOf(dataset, view)
  if (!parts.gold && !parts.comments) return presentRecords(db, dataset, seqs, { ...view, inOneBatch: parts })
  const bytes = await totalBytes(db, { dataset_no: dataset.no, seqs }, parts)
  return bytes <= BATCH_BYTES ? presentRecords(db, dataset, seqs, view) : []
}

/** The size of records in bytes, by `seq`. */
export const sizesOfRecords = (
  db: Db,
  dataset: PresentedDataset,
  seqs: readonly number[],
  view: View,
): Promise<ReadonlyMap<number, number>> => bytesBySeq(db, { dataset_no: dataset.no, seqs }, partsOf(dataset, view))

/** Splits records into batches of limited size. The total size isn't limited. */
export const splitIntoBatches = async (
  db: Db,
  dataset: PresentedDataset,
  seqs: readonly number[],
  view: View,
): Promise<RecordBatches> => ({
  batches: batchesOf(seqs, await sizesOfRecords(db, dataset, seqs, view)),
})

/** The first `seqs` that fit into one batch; at least one. */
export const firstBatch = async (
  db: Db,
  dataset: PresentedDataset,
  seqs: readonly number[],
  view: View,
): Promise<readonly number[]> => {
  if (seqs.length === 0) return []
  if ((await totalBytes(db, { dataset_no: dataset.no, seqs }, partsOf(dataset, view))) <= BATCH_BYTES) return seqs
  return (await splitIntoBatches(db, dataset, seqs, view)).batches[0] ?? []
}

type BatchArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly include: Include
  /** True for routes that return only the caller's own answers. */
  readonly own: boolean
}

/** The caller must have checked that the user may see the records. @throws Problem not_found if the dataset was deleted */
const readBatch = query(
  'records.batch',
  async (db, { user, dataset_id, include, own, seqs }: BatchArgs & { readonly seqs: readonly number[] }) => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: false })
    const viewer = await viewerOf(db, dataset.id, user, { own })
    return presentRecords(db, dataset, seqs, { include, viewer, exact: true })
  },
)

type Ctx = { readonly store: Store; readonly largeReads: Shares }

/**
 * Reads the batches of a large page, one after another. Each batch contains the state of its records when it is read. Records
 * deleted by then are left out. Each user can read only a few large pages at a time, so that other users aren't delayed.
 */
export async function* readBatches(
  { store, largeReads }: Ctx,
  { batches, ...args }: BatchArgs & RecordBatches,
): AsyncGenerator<readonly PresentedRecord[]> {
  const release = await largeReads.take(args.user.id)
  try {
    for (const seqs of batches) yield await store.read(readBatch, { ...args, seqs }, { lane: 'slow' })
  } finally {
    release()
  }
}

/**
 * Returns the items of a page as strings. If the page is large, returns them in several lists, one after another.
 * @param print prints the item of a record
 */
export const pageItems = (
  ctx: Ctx,
  args: BatchArgs,
  page: RecordPage,
  print: (record: PresentedRecord) => string = ({ text }) => text,
): readonly string[] | AsyncIterable<readonly string[]> => {
  if ('presented' in page) return page.presented.map(print)
  async function* pieces({ batches }: RecordBatches): AsyncGenerator<readonly string[]> {
    for await (const records of readBatches(ctx, { ...args, batches })) yield records.map(print)
  }
  return pieces(page)
}
