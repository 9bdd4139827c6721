import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { checkHub, HubPreview, HubRepository } from '@postil/contract/files/hub.ts'
import { checkedRows, type FileCheck, shownRows } from '@postil/contract/files/imports.ts'
import type { BodyOf } from '@postil/contract/wire/endpoint.ts'
import { forbidden, notFoundWithReason, unavailable, unprocessable } from '@postil/contract/wire/errors.ts'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import {
  firstRows,
  inspect,
  planRow,
  planSchema,
  prepareRows,
  reportedFaults,
  type SourceRow,
  validateBatch,
  type WholeColumn,
  withFeatureProposal,
  withWholeColumn,
} from '#features/imports/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Config } from '#platform/config/read-config.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import type { Features } from '#platform/parquet/features.ts'
import { type HubClient, hubClient } from '../client.ts'
import { hubPolicy } from '../policy.ts'
import { openReader } from './reader.ts'
import { type HubSource, isRepoId, splitsOf, wholeOf } from './source.ts'

/** How long a Hub response is cached, in milliseconds. */
const TTL_MS = 600_000
/** Maximum number of cached responses. */
const MAX_ENTRIES = 32

/** Caches responses for a while, so that a repeated client request doesn't cause another Hub request. Errors aren't cached. */
const createAnswerCache = <T>() => {
  const entries = new LRUCache<string, Promise<T>>({ max: MAX_ENTRIES, ttl: TTL_MS })
  return (key: string, load: () => Promise<T>): Promise<T> => {
    const cached = entries.get(key)
    if (cached !== undefined) return cached
    const value = load()
    entries.set(key, value)
    value.catch(() => {
      if (entries.peek(key) === value) entries.delete(key)
    })
    return value
  }
}

type Ctx = { readonly config: Config }

/** The calling user and their Hub token; null for the server's own token, if it has one. */
export type Caller = { readonly user: Actor; readonly token: string | null }

/**
 * The key under which data from the Hub is cached. It depends on the token, because data that the Hub returns for one token must
 * not be shown for another. Contains a hash instead of the token itself.
 */
const keyOf = ({ config }: Ctx, { token }: Caller, what: unknown): string =>
  JSON.stringify([config.hubUrl, what, token === null ? null : createHash('sha256').update(token).digest('base64')])

/** Limits of the data from which column types are inferred: number of rows, and number of characters. */
const ROWS = 1_000
const CHARACTERS = 1_000_000

/**
 * Asks the Hub on behalf of an authorized user. @throws Problem forbidden; not_found, unavailable, unprocessable for the Hub's
 * errors
 */
const withHubClient = async <T>(
  { config }: Ctx,
  { user, token }: Caller,
  work: (client: HubClient) => Promise<T>,
): Promise<T> => {
  if (!hubPolicy.use(user)) throw forbidden()
  try {
    return await work(await hubClient(config, token ?? config.hubToken ?? null))
  } catch (error) {
    if (!(error instanceof OutgoingFault)) throw error
    if (error.isPassing) throw unavailable(error.reason, 5)
    throw error.isMissing ? notFoundWithReason(error.reason) : unprocessable(error.reason)
  }
}

const Info = z.object({ private: z.boolean().default(false), gated: z.union([z.boolean(), z.string()]).default(false) })

const repositories = createAnswerCache<HubRepository>()

/** A Hub dataset with its subsets and splits. */
export const repository = (ctx: Ctx, caller: Caller, name: string): Promise<HubRepository> =>
  withHubClient(ctx, caller, (client) =>
    repositories(keyOf(ctx, caller, name), async () => {
      const splits = await splitsOf(client, ctx.config, name)
      const url = new URL(`${ctx.config.hubUrl}/api/datasets/${name.split('/').map(encodeURIComponent).join('/')}`)
      const info = isRepoId(name) ? Info.safeParse(await client.json(url, `the dataset ${JSON.stringify(name)}`)) : null
      const { private: isPrivate, gated } = info?.data ?? { private: false, gated: false }
      return { name, private: isPrivate, gated: gated !== false, splits }
    }),
  )

type FirstRows = {
  readonly rows: readonly SourceRow[]
  readonly names: readonly string[]
  readonly features: Features
  readonly total: number
  readonly all: number | null
  /** The Hub's statistics over all rows, by column. */
  readonly whole: ReadonlyMap<string, WholeColumn>
}

/** How long to wait for the Hub's statistics after the rows are loaded, in milliseconds. */
const TIMEOUT_MS = 3000
const firstRowsCache = createAnswerCache<FirstRows>()

/** The first rows of a split. */
const loadFirstRows = (client: HubClient, ctx: Ctx, caller: Caller, source: HubSource): Promise<FirstRows> =>
  firstRowsCache(keyOf(ctx, caller, source), async () => {
    const counted = wholeOf(client, ctx.config, source)
    // `counted` is awaited below. If reading the rows fails first, a failure of `counted` must not become an unhandled rejection.
    counted.catch(() => undefined)
    const reader = await openReader(client, ctx.config, source)
    const rows: SourceRow[] = []
    let size = 0
    while (rows.length < ROWS && size < CHARACTERS) {
      const more = await reader.read(rows.length, null)
      if (more.length === 0) break
      for (const one of more) {
        if (rows.length >= ROWS || (rows.length >= shownRows && size >= CHARACTERS)) break
        rows.push(one.row)
        size += one.size
      }
    }
    const { columns: names, features, total, all } = reader
    const late = pause(TIMEOUT_MS, new Map<string, WholeColumn>(), { ref: false })
    return { rows, names, features, total, all, whole: await Promise.race([counted, late]) }
  })

/** Columns and first rows of a split. */
export const preview = (ctx: Ctx, caller: Caller, { name, subset, split }: HubSource): Promise<HubPreview> =>
  withHubClient(ctx, caller, async (client) => {
    const { rows, names, features, total, all, whole } = await loadFirstRows(client, ctx, caller, { name, subset, split })
    const inspectedColumns = inspect(rows, names, false).map((column) => withWholeColumn(column, whole.get(column.name)))
    const columns = inspectedColumns.map((column) => withFeatureProposal(column, features[column.name]))
    return { name, subset, split, total, all, columns, rows: firstRows(rows, columns) }
  })

/** The records that would be created from the first rows in a dataset that doesn't exist yet. Writes nothing. */
export const check = (ctx: Ctx, caller: Caller, body: BodyOf<typeof checkHub>): Promise<FileCheck> =>
  withHubClient(ctx, caller, async (client) => {
    const { name, subset, split, ...plan } = body
    const schema = planSchema(plan)
    const { rows: first, total } = await loadFirstRows(client, ctx, caller, { name, subset, split })
    const rows = first.slice(0, checkedRows)
    const ids = { idOf: (row: number) => `${split}_${row - 1}`, isNewWithoutId: false, rowsNameColumns: false }
    const recipe = { mapping: plan.mapping, schema, ...ids, limits: limitsOf(ctx.config) }
    const { places, packed, faults } = prepareRows(rows, recipe)
    const refused = validateBatch({ mapping: plan.mapping, places, packed }, { schema, allowExtra: true })
    const errors = reportedFaults(faults, refused)
    const invalidRows = new Set(errors.map(({ row }) => row))
    const validRows = rows.filter(({ row }) => !invalidRows.has(row)).slice(0, shownRows)
    const records = validRows.flatMap((row) => planRow(row, recipe) ?? [])
    return { rows: rows.length, whole: rows.length >= total, errors, warnings: [], records }
  })
