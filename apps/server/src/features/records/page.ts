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

/** Records as JSON, or as batches of `seq`s to read one after another if they are too large for one read. */
export type RecordPage = { readonly presented: readonly PresentedRecord[] } | RecordBatches
export type RecordBatches = { readonly batches: readonly (readonly number[])[] }

/** Presents records in the order of `seqs`. If they are larger than one batch, returns batches of `seqs` instead. */
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
 * Presents records unless they are larger than one batch. The statements that read the parts of the records also check the size,
 * which saves a round trip to PostgreSQL (`npm run bench`, "next page"). Final answers and comments are read without this check.
 * @returns an empty list for larger records
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

/** Splits records into batches, regardless of their total size. */
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
 * Reads the batches of a large page, each in its current state. Deleted records are left out. Each user can read only a few
 * large pages at a time, so that other users aren't delayed.
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
 * The items of a page as strings, or in pieces if the page is large.
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
