import { type Difference, recountResponses } from '#features/responses/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import { type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import { once } from '#platform/once.ts'
import * as bulk from './bulk/bulk-commands.ts'
import { type BulkOutcome, type PreparedBulk, piecesOfBulk, printBulk } from './bulk/prepared-bulk.ts'
import { recountRecords } from './recount/recount.ts'

type Ctx = { readonly store: Store }

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

/** Creates either all records or none. @throws Problem not_found, forbidden, unprocessable */
export const createRecords = (ctx: Ctx, user: Actor, dataset_id: string, items: PreparedBulk): Promise<RawJson> =>
  runBulk(ctx, bulk.createRecords, { user, dataset_id, items })

/** Creates or changes either all records or none, by ID or external ID. @throws Problem not_found, forbidden, unprocessable */
export const upsertRecords = (ctx: Ctx, user: Actor, dataset_id: string, items: PreparedBulk): Promise<RawJson> =>
  runBulk(ctx, bulk.upsertRecords, { user, dataset_id, items })

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
