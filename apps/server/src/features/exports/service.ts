import type { downloadRecords, FileFormat } from '@postil/contract/files/files.ts'
import { fileTypes } from '@postil/contract/files/files.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { QueryOf } from '@postil/contract/wire/endpoint.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { agreementCsv, agreementOf } from '#features/agreement/public.ts'
import { recordAction } from '#features/audit/public.ts'
import { findAll } from '#features/search/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import { FileStream } from '#platform/http/answers/answers.ts'
import type { UserShares } from '#platform/shares.ts'
import { foundAfter } from './continue-after.ts'
import { formats } from './formats/index.ts'
import * as queries from './queries.ts'

type Log = { readonly warn: (fields: object, message: string) => void }
type Ctx = { readonly store: Store; readonly log: Log } & UserShares

/** Maximum number of records per read: enough to keep the store busy. Bytes per read are limited separately. */
const PAGE_SIZE = 500
const parse = (texts: readonly string[]): RecordPayload[] => texts.map((text) => JSON.parse(text) as RecordPayload)

type DatasetArgs = { readonly user: Actor; readonly dataset_id: string }

/**
 * All records of a dataset after a `seq`, in pages, oldest first. @param at the snapshot to read; if omitted, reads the current
 * records. @throws Problem not_found, forbidden
 */
export async function* allRecords(
  { store }: Pick<Ctx, 'store'>,
  datasetArgs: DatasetArgs,
  afterSeq = 0,
  at?: string,
): AsyncGenerator<RecordPayload[]> {
  type Page = { readonly records: readonly string[]; readonly lastSeq: number | null }
  const read = (seq: number): Promise<Page> => {
    const page =
      at === undefined
        ? store.read(queries.recordsAfter, { ...datasetArgs, seq, limit: PAGE_SIZE }, { lane: 'slow' })
        : store.read(queries.recordsOfSnapshot, { ...datasetArgs, seq, limit: PAGE_SIZE, at }, { lane: 'slow' })
    // If the download is aborted, nothing awaits this page, so its rejection must be handled here. If the page is awaited, the
    // awaiting code also receives the rejection
    page.catch(() => undefined)
    return page
  }
  for (let nextPage: Promise<Page> | null = read(afterSeq); nextPage !== null; ) {
    const { records, lastSeq }: Page = await nextPage
    // The store reads the next page while the current one is serialized and sent.
    nextPage = lastSeq === null ? null : read(lastSeq)
    if (records.length > 0) yield parse(records)
  }
}

/** Yields the records in the order of `found`. */
async function* foundRecords({ store }: Ctx, datasetArgs: DatasetArgs, found: Float64Array): AsyncGenerator<RecordPayload[]> {
  for (let at = 0; at < found.length; ) {
    const seqs = [...found.subarray(at, at + PAGE_SIZE)]
    const { records, count } = await store.read(queries.recordsAt, { ...datasetArgs, seqs }, { lane: 'slow' })
    at += count
    yield parse(records)
  }
}

const fileNameOf = (dataset: string, format: FileFormat): string => `${dataset}.${fileTypes[format].extension}`

const agreementFile = (dataset: string, text: string): FileStream => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text)
  }
  return new FileStream(`${dataset}-agreement.csv`, fileTypes.csv.contentType, chunks())
}

/**
 * Streams a dataset's records with their answers as a file. The same data always produces the same bytes. A search runs once,
 * at the beginning; each page of records is then read in its current state.
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const download = async (
  ctx: Ctx,
  user: Actor,
  dataset_id: string,
  { format, shape, question, overlaps, escape_formulas, search, at, after }: QueryOf<typeof downloadRecords>,
): Promise<FileStream> => {
  const datasetArgs: DatasetArgs = { user: actorOf(user), dataset_id }
  const { afterSeq, ...context } = await ctx.store.read(queries.exportContext, { ...datasetArgs, after, at })
  if (at !== undefined && search !== undefined) throw unprocessable(message('snapshotOnlyAll', { parameter: 'search' }))
  if (at !== undefined && format === 'agreement') throw unprocessable(message('snapshotOnlyAll', { parameter: 'format' }))
  if (format === 'agreement') {
    const agreement = await agreementOf(ctx, user, dataset_id, { search, raters: 'humans', fresh: false })
    await ctx.store.write(recordAction, { name: context.dataset.name })
    return agreementFile(context.dataset.name, agreementCsv(agreement, context, escape_formulas))
  }
  const isContinued = after !== undefined
  const file = formats[format](context, { shape, question, overlaps, escapeFormulas: escape_formulas, isContinued })
  await ctx.store.write(recordAction, { name: context.dataset.name })
  const foundSeqs = search === undefined ? null : await findAll(ctx, user, dataset_id, search)
  const found =
    foundSeqs === null || search === undefined || after === undefined ? foundSeqs : foundAfter(foundSeqs, afterSeq, search)
  const pages = () => (found === null ? allRecords(ctx, datasetArgs, afterSeq, at) : foundRecords(ctx, datasetArgs, found))
  if (file.check !== undefined) {
    const release = await ctx.downloads.take(user.id)
    try {
      for await (const records of pages()) file.check(records)
    } finally {
      release()
    }
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const release = await ctx.downloads.take(user.id)
    try {
      for await (const records of pages()) {
        for (const bytes of file.push(records)) if (bytes.length > 0) yield bytes
      }
      const bytes = file.end()
      if (bytes.length > 0) yield bytes
    } finally {
      release()
    }
  }
  return new FileStream(fileNameOf(context.dataset.name, format), fileTypes[format].contentType, chunks())
}
