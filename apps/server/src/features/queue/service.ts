import type { LeasesResult, PrintedQueueSettings, QueueBody, QueueSettings } from '@postil/contract/queue.ts'
import { firstOf } from '#features/search/service.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import { printTime } from '#platform/time.ts'
import * as commands from './commands.ts'
import type { Grant } from './grants.ts'
import type { Actor } from './policy.ts'
import * as queries from './queries.ts'
import type { InDataset } from './scope.ts'
import { getSettings, setSettings as setQueueSettings } from './settings.ts'

// What the transfer from another server calls inside its own command.
export { adoptQueueSettings } from './settings.ts'

type Ctx = {
  readonly store: Store
  readonly config: Pick<Config, 'leaseMs'>
  readonly log: { readonly warn: (fields: object, message: string) => void }
}
const inDataset = ({ id, role }: Actor, dataset_id: string): InDataset => ({ user: { id, role }, dataset_id })
const leaseOf = ({ config }: Ctx): number => config.leaseMs * 1000

/** How often to look again when others were quicker with all that was found. */
const ROUNDS = 3

type Wanted = { readonly limit: number; readonly exclude: readonly string[]; readonly drafts: boolean }

/** What a search finds for the user, partly answered records first, and how many they can be handed in all. */
const searchNext = async (
  ctx: Ctx,
  of: InDataset,
  { body, partly, skip, taken, count }: queries.Searched,
): Promise<{ readonly next: readonly number[]; readonly left: number }> => {
  const some = [
    { among: partly, limit: count },
    { among: null, limit: count + skip.length + partly.length },
    { among: taken, limit: 0 },
  ]
  const [first, all, others] = await firstOf(ctx, { ...of, body, some })
  const unwanted = new Set(skip)
  const next = new Set([...(first?.seqs ?? []), ...(all?.seqs ?? [])].filter((seq) => !unwanted.has(seq)))
  return { next: [...next].slice(0, count), left: (all?.total ?? 0) - (others?.total ?? 0) }
}

type Next = queries.Found & { readonly left: number | null }

/** On the page's path, unless that would hold it up. */
const findNext = async (ctx: Ctx, of: InDataset, wanted: Wanted): Promise<Next> => {
  const { store } = ctx
  const quick = await store.read(queries.findNext, { ...of, ...wanted, far: false })
  const found = quick ?? (await store.read(queries.findNext, { ...of, ...wanted, far: true }, { lane: 'slow' }))
  if (found === null) throw new Error('the slow lane takes its time')
  return found.search === null ? { ...found, left: null } : { ...found, ...(await searchNext(ctx, of, found.search)) }
}

type Taken = {
  readonly granted: readonly Grant[]
  /** Whether the caller may have more than is in hand. */
  readonly sought: boolean
  readonly searched: number | null
  /** How many of what is excluded were closed before the search; null without one. */
  readonly closed: number | null
}

const takeSome = async (ctx: Ctx, of: InDataset, asked: Wanted): Promise<Taken> => {
  let granted: readonly Grant[] = []
  let searched: number | null = null
  let closed: number | null = null
  let sought = false
  for (let round = 1; round <= ROUNDS; round++) {
    const { own, next, wanted, left, search } = await findNext(ctx, of, asked)
    searched = left
    closed = search?.closed ?? null
    sought = wanted > 0
    if (own.length + next.length === 0) return { granted: [], sought, searched, closed }
    granted = await ctx.store.write(commands.takeRecords, { ...of, own, next, wanted, lease: leaseOf(ctx) })
    // NOTE: what was granted in this round is the caller's own in the next
    if (granted.length >= own.length + Math.min(wanted, next.length)) break
  }
  return { granted, sought, searched, closed }
}

/**
 * Hands the next records to the caller, those first that the caller has in hand already.
 * @throws Problem not_found, forbidden
 */
export const take = async (
  ctx: Ctx,
  user: Actor,
  dataset_id: string,
  { limit, exclude, drafts }: QueueBody,
): Promise<RawJson> => {
  const of = inDataset(user, dataset_id)
  const asked = { limit, exclude: exclude ?? [], drafts }
  const handOut = async (round = 1): Promise<queries.Presented> => {
    const { closed, sought, ...taken } = await takeSome(ctx, of, asked)
    const presented = await ctx.store.read(queries.presentQueue, { ...of, ...taken, exclude: asked.exclude, drafts })
    // NOTE: a search counts at a time of its own: what was answered meanwhile is in its count, or is not
    const isOfOneTime = closed === null || closed === presented.closed
    // NOTE: what others were about to take, or had in hand while it was looked for, may be free when it is counted
    const unwanted = asked.exclude.length - presented.closed
    const isMissed = sought && taken.granted.length === 0 && presented.left > unwanted
    return (isOfOneTime && !isMissed) || round === ROUNDS ? presented : handOut(round + 1)
  }
  const { text, stale } = await handOut()
  if (stale) await ctx.store.write(commands.forgetLeases, of)
  return rawJson(text)
}

/** How records are handed out. @throws Problem not_found, forbidden */
export const settings = ({ store }: Ctx, user: Actor, dataset_id: string): Promise<PrintedQueueSettings> =>
  store.read(getSettings, inDataset(user, dataset_id))

/** Says how records are handed out, from the next one on. @throws Problem not_found, forbidden, unprocessable */
export const setSettings = (
  { store }: Ctx,
  user: Actor,
  dataset_id: string,
  body: QueueSettings,
): Promise<PrintedQueueSettings> => store.write(setQueueSettings, { ...inDataset(user, dataset_id), body })

/** Keeps records in the caller's hand. @throws Problem not_found, forbidden */
export const renew = async (ctx: Ctx, user: Actor, dataset_id: string, record_ids: readonly string[]): Promise<LeasesResult> => {
  const args = { ...inDataset(user, dataset_id), record_ids, lease: leaseOf(ctx) }
  const items = await ctx.store.write(commands.renewLeases, args)
  return {
    items: items.map(({ record_id, until }) => ({ record_id, lease: until === null ? null : { until: printTime(until) } })),
  }
}

/** Takes records out of the caller's hand, all when none are named. @throws Problem not_found, forbidden */
export const giveBack = async (ctx: Ctx, user: Actor, dataset_id: string, ids: string | undefined): Promise<undefined> => {
  await ctx.store.write(commands.giveBackLeases, { ...inDataset(user, dataset_id), ids: ids ?? null })
}

/**
 * Takes out of a user's hand all that they have, in every dataset or those of a workspace, when they leave: nobody waits for it until its time is over. One
 * dataset after the other, because no transaction changes two.
 */
export const giveBackEverywhere = async (
  { store }: Pick<Ctx, 'store'>,
  user_id: string,
  workspace_id: string | null = null,
): Promise<void> => {
  for (const dataset_no of await store.read(queries.datasetsInHand, { user_id, workspace_id }))
    await store.write(commands.giveBackOf, { user_id, dataset_no })
}
