import { notFound } from '@postil/contract/wire/errors.ts'
import { includeAll } from '@postil/contract/wire/query-lists.ts'
import { type Difference, recountResponses } from '#features/responses/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import { type JsonStream, type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import { jsonList } from '#platform/http/answers/json-list.ts'
import type { Shares } from '#platform/shares.ts'
import * as bulk from './bulk/bulk-commands.ts'
import { type PreparedBulk, runBulk } from './bulk/bulk-pipeline.ts'
import { pageItems, type RecordBatches, readBatches } from './page.ts'
import * as queries from './queries.ts'
import { recountRecords } from './recount/recount.ts'

type Ctx = { readonly store: Store }
type ReadCtx = Ctx & { readonly largeReads: Shares }

type BulkRequest = { readonly user: Actor; readonly dataset_id: string; readonly items: PreparedBulk }

const storeBulk = (ctx: ReadCtx, command: typeof bulk.createRecords, request: BulkRequest): Promise<RawJson | JsonStream> => {
  const place = { user: actorOf(request.user), dataset_id: request.dataset_id, include: includeAll, own: false }
  return runBulk(ctx, command, request, (batches: RecordBatches) => jsonList(pageItems(ctx, place, batches)))
}

/** @throws Problem not_found, forbidden */
export const list = async (
  ctx: ReadCtx,
  user: Actor,
  args: Omit<Parameters<typeof queries.listRecords.run>[1], 'user'>,
): Promise<RawJson | JsonStream> => {
  const actor = actorOf(user)
  const page = await ctx.store.read(queries.listRecords, { ...args, user: actor })
  const { dataset_id, include } = args
  return jsonList(pageItems(ctx, { user: actor, dataset_id, include, own: false }, page), `"total":${page.total}`)
}

/** @throws Problem not_found, forbidden */
export const get = async (ctx: ReadCtx, user: Actor, record_id: string): Promise<RawJson> => {
  const actor = actorOf(user)
  const page = await ctx.store.read(queries.getRecord, { user: actor, record_id })
  if ('presented' in page) return rawJson(page.presented[0]?.text ?? '')
  const { batches, dataset_id } = page
  for await (const [record] of readBatches(ctx, { user: actor, dataset_id, include: includeAll, own: false, batches }))
    if (record !== undefined) return rawJson(record.text)
  throw notFound('Record', record_id)
}

/** Creates either all records or none. @throws Problem not_found, forbidden, unprocessable */
export const createRecords = (
  ctx: ReadCtx,
  user: Actor,
  dataset_id: string,
  items: PreparedBulk,
): Promise<RawJson | JsonStream> => storeBulk(ctx, bulk.createRecords, { user, dataset_id, items })

/**
 * Creates records, or changes the existing records with the same ID or external ID. If one record fails, none is stored.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const upsertRecords = (
  ctx: ReadCtx,
  user: Actor,
  dataset_id: string,
  items: PreparedBulk,
): Promise<RawJson | JsonStream> => storeBulk(ctx, bulk.upsertRecords, { user, dataset_id, items })

/**
 * Recounts everything that is derived from records and answers. Meant for tools and tests, because it reads entire datasets.
 * @param dataset_no omit for all datasets
 * @returns the differences; none unless the database is damaged
 */
export const recount = async (ctx: Ctx, dataset_no?: number): Promise<readonly Difference[]> => {
  const args = dataset_no === undefined ? {} : { dataset_no }
  const records = await ctx.store.read(recountRecords, args, { lane: 'slow' })
  return [...records, ...(await ctx.store.read(recountResponses, args, { lane: 'slow' }))]
}
