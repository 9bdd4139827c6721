import type { downloadRecords, FileFormat } from '@postil/contract/files/files.ts'
import { fileTypes } from '@postil/contract/files/files.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { QueryOf } from '@postil/contract/wire/endpoint.ts'
import { noteAct } from '#features/audit/service.ts'
import type { Actor } from '#features/records/service.ts'
import { findAll } from '#features/search/service.ts'
import type { Store } from '#platform/db/store.ts'
import { FileStream } from '#platform/http/answers/answers.ts'
import { foundBehind } from './continued.ts'
import { formats } from './formats/index.ts'
import * as queries from './queries.ts'

// What exports to elsewhere make tables with.
export { type Column, type Table, wideTable } from './columns.ts'
export type { FileContext } from './context.ts'
export { fileContext } from './queries.ts'

type Log = { readonly warn: (fields: object, message: string) => void }
type Ctx = { readonly store: Store; readonly log: Log }

/** Records of one read: enough to keep the store busy, few enough to keep memory flat. */
const PAGE = 500
const parse = (texts: readonly string[]): RecordPayload[] => texts.map((text) => JSON.parse(text) as RecordPayload)

type Which = { readonly user: Actor; readonly dataset_id: string }

/** Pages of all records of a dataset, oldest first, from behind a place on. @throws Problem not_found, forbidden */
export async function* allRecords({ store }: Pick<Ctx, 'store'>, which: Which, afterSeq = 0): AsyncGenerator<RecordPayload[]> {
  type Page = { readonly records: readonly string[]; readonly lastSeq: number | null }
  const read = (seq: number): Promise<Page> => {
    const page = store.read(queries.recordsAfter, { ...which, seq, limit: PAGE })
    // NOTE: who waits for it is told when it fails; nobody may, when the file is not wanted any more
    page.catch(() => undefined)
    return page
  }
  for (let ahead: Promise<Page> | null = read(afterSeq); ahead !== null; ) {
    const { records, lastSeq }: Page = await ahead
    // The store is busy with the next page while this one is printed and sent.
    ahead = lastSeq === null ? null : read(lastSeq)
    if (records.length > 0) yield parse(records)
  }
}

/** In the order of `found`. */
async function* some({ store }: Ctx, which: Which, found: Float64Array): AsyncGenerator<RecordPayload[]> {
  for (let at = 0; at < found.length; at += PAGE) {
    const seqs = [...found.subarray(at, at + PAGE)]
    yield parse(await store.read(queries.recordsAt, { ...which, seqs }))
  }
}

const nameOf = (dataset: string, format: FileFormat): string => `${dataset}.${fileTypes[format].extension}`

/**
 * A dataset's records with their answers as a file, made while it is sent. The same data gives the same bytes. What a search
 * finds is settled once at the beginning; each page of records is read as it is then.
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const download = async (
  ctx: Ctx,
  user: Actor,
  dataset_id: string,
  { format, shape, question, escape_formulas, search, after }: QueryOf<typeof downloadRecords>,
): Promise<FileStream> => {
  const which: Which = { user: { id: user.id, role: user.role }, dataset_id }
  const { afterSeq, ...context } = await ctx.store.read(queries.fileContext, { ...which, after })
  const file = formats[format](context, { shape, question, escapeFormulas: escape_formulas, isContinued: after !== undefined })
  await ctx.store.write(noteAct, { name: context.dataset.name })
  const whole = search === undefined ? null : await findAll(ctx, user, dataset_id, search)
  const found = whole === null || search === undefined || after === undefined ? whole : foundBehind(whole, afterSeq, search)
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const records of found === null ? allRecords(ctx, which, afterSeq) : some(ctx, which, found)) {
      const bytes = file.push(records)
      if (bytes.length > 0) yield bytes
    }
    const bytes = file.end()
    if (bytes.length > 0) yield bytes
  }
  return new FileStream(nameOf(context.dataset.name, format), fileTypes[format].contentType, chunks())
}
