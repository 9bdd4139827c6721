import type { Include } from '@postil/contract/wire/query-lists.ts'
import { type Difference, recountResponses } from '#features/responses/service.ts'
import type { Store } from '#platform/db/store.ts'
import { type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import { once } from '#platform/once.ts'
import * as bulk from './bulk/bulk-commands.ts'
import { type BulkOutcome, type PreparedBulk, piecesOfBulk, printBulk } from './bulk/prepared-bulk.ts'
import * as commands from './commands.ts'
import type { Actor } from './policy.ts'
import * as queries from './queries.ts'
import { recountRecords } from './recount/recount.ts'

type Ctx = { readonly store: Store }
const actorOf = ({ id, role }: Actor): Actor => ({ id, role })

/**
 * Stores a bulk. Its tokens are computed while its records are written. Its response is printed while the transaction commits,
 * and is sent after the commit.
 */
const runBulk = async (
  ctx: Ctx,
  command: typeof bulk.createRecords,
  { user, dataset_id, items }: { readonly user: Actor; readonly dataset_id: string; readonly items: PreparedBulk },
): Promise<RawJson> => {
  const rest = once(async () => items.rest())
  const print = async (outcome: BulkOutcome) => printBulk(await piecesOfBulk({ ...items, rest }), outcome, dataset_id)
  const lateInput = async () => (await rest()).first
  let printed: ReturnType<typeof print> | null = null
  const onEarlyResult = (outcome: BulkOutcome) => {
    printed = print(outcome)
    // A rejection is handled below, where the result is awaited.
    printed.catch(() => undefined)
  }
  const outcome = await ctx.store.write(
    command,
    { user: actorOf(user), dataset_id, packed: items.first },
    { onEarlyResult, lateInput },
  )
  return rawJson(await (printed ?? print(outcome)))
}

/** Creates records, all or none. @throws Problem not_found, forbidden, unprocessable */
export const createRecords = (ctx: Ctx, user: Actor, dataset_id: string, items: PreparedBulk): Promise<RawJson> =>
  runBulk(ctx, bulk.createRecords, { user, dataset_id, items })

/** Creates or changes records by ID or external ID, all or none. @throws Problem not_found, forbidden, unprocessable */
export const upsertRecords = (ctx: Ctx, user: Actor, dataset_id: string, items: PreparedBulk): Promise<RawJson> =>
  runBulk(ctx, bulk.upsertRecords, { user, dataset_id, items })

/** Returns a page of all records. @throws Problem not_found, forbidden */
export const listRecords = async (
  ctx: Ctx,
  user: Actor,
  dataset_id: string,
  page: { readonly offset: number; readonly limit: number; readonly include: Include },
): Promise<RawJson> => rawJson(await ctx.store.read(queries.listRecords, { user: actorOf(user), dataset_id, ...page }))

/** @throws Problem not_found, forbidden */
export const getRecord = async (ctx: Ctx, user: Actor, record_id: string): Promise<RawJson> =>
  rawJson(await ctx.store.read(queries.getRecord, { user: actorOf(user), record_id }))

/** @param packed the record, packed by `packRecords`. @throws Problem not_found, forbidden, unprocessable */
export const updateRecord = async (ctx: Ctx, user: Actor, record_id: string, packed: Uint8Array): Promise<RawJson> =>
  rawJson(await ctx.store.write(commands.updateRecord, { user: actorOf(user), record_id, packed }))

/** @throws Problem not_found, forbidden */
export const deleteRecord = async (ctx: Ctx, user: Actor, record_id: string): Promise<RawJson> =>
  rawJson(await ctx.store.write(commands.deleteRecord, { user: actorOf(user), record_id }))

/** @throws Problem not_found, forbidden */
export const deleteRecords = async (ctx: Ctx, user: Actor, dataset_id: string, ids: string): Promise<undefined> => {
  await ctx.store.write(commands.deleteRecords, { user: actorOf(user), dataset_id, ids })
}

/**
 * Recounts everything that is derived from records and answers. Reads whole datasets: for tools and tests.
 * @param dataset_no omit it for all datasets
 * @returns the differences; none unless the database is damaged
 */
export const recount = async (ctx: Ctx, dataset_no?: number): Promise<readonly Difference[]> => {
  const args = dataset_no === undefined ? {} : { dataset_no }
  const records = await ctx.store.read(recountRecords, args, { lane: 'slow' })
  return [...records, ...(await ctx.store.read(recountResponses, args, { lane: 'slow' }))]
}

// Other features call these inside their own queries and commands.
export { type Adopted, adoptRecords, type OriginalRecord } from './adopt/adopt.ts'
export type { LeftOut } from './adopt/adopt-rules.ts'
export type { ProvidedKeys } from './bulk/merge-partial.ts'
export { packRecords } from './bulk/pack.ts'
export { type PreparedRecord, type PreparedSuggestion, prepareRecord, prepareSuggestion, prepareUpdate } from './bulk/prepare.ts'
export { type PreparedBulk, prepareBulk } from './bulk/prepared-bulk.ts'
export { currentFields, type RefusedItem, refusedItems, upsertValid } from './bulk/upsert-valid.ts'
export { suggestionFault } from './check.ts'
export type { Actor } from './policy.ts'
export { recordPolicy } from './policy.ts'
export { fullView, presentRecords, type Viewer, viewerOf } from './present.ts'
export { printSuggestion, printSuggestionContent } from './print.ts'
export { countRecords, pageSeqs } from './queries.ts'
export { rebuildBlocks, rebuildRecordRows } from './recount/rebuild.ts'
export type { SuggestionRow } from './rows/suggestion-rows.ts'
export { findSuggestion, removeSuggestions, storeSuggestion, suggestionsOfRecord } from './rows/suggestion-store.ts'
export { loadSchema, type Schema } from './schema.ts'
export { datasetScope, datasetScopeAt, recordScope, type ScopeDataset, type ScopeRecord } from './scope.ts'
export { lockRecords } from './targets.ts'
