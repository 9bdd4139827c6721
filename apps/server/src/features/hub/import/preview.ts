import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { checkHub, HubPreview, HubRepository } from '@postil/contract/files/hub.ts'
import { checkedRows, type FileCheck, shownRows } from '@postil/contract/files/imports.ts'
import type { BodyOf } from '@postil/contract/wire/endpoint.ts'
import { forbidden, notFoundBecause, unavailable, unprocessable } from '@postil/contract/wire/errors.ts'
import { z } from 'zod'
import {
  described,
  firstRows,
  inspect,
  judgeBatch,
  judgedByAll,
  planRow,
  planSchema,
  prepareRows,
  type SourceRow,
  toldFaults,
  type WholeColumn,
} from '#features/imports/service.ts'
import type { Actor } from '#features/records/service.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Config } from '#platform/config/read-config.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import type { Features } from '#platform/parquet/features.ts'
import { type HubClient, hubClient } from '../client.ts'
import { hubPolicy } from '../policy.ts'
import { keptAnswers } from './kept.ts'
import { openReader } from './reader.ts'
import { type HubSource, isRepoId, splitsOf, wholeOf } from './source.ts'

type Ctx = { readonly config: Config }
/** Who asks, and with which token of the hub; null: the server's own, if it has one. */
export type Asker = { readonly user: Actor; readonly token: string | null }

/** What the hub shows to one token is not shown to another; the token itself is kept nowhere. */
const keyOf = ({ config }: Ctx, { token }: Asker, what: unknown): string =>
  JSON.stringify([config.hubUrl, what, token === null ? null : createHash('sha256').update(token).digest('base64')])

/** Rows that columns are judged by, and characters of them after which it is enough. */
const ROWS = 1_000
const CHARACTERS = 1_000_000

/** Asks the hub for somebody who may. @throws Problem forbidden; not_found, unavailable, unprocessable for what the hub says */
const asking = async <T>({ config }: Ctx, { user, token }: Asker, work: (client: HubClient) => Promise<T>): Promise<T> => {
  if (!hubPolicy.use(user)) throw forbidden()
  try {
    return await work(await hubClient(config, token ?? config.hubToken ?? null))
  } catch (error) {
    if (!(error instanceof OutgoingFault)) throw error
    if (error.isPassing) throw unavailable(error.message, 5)
    throw error.isMissing ? notFoundBecause(error.message) : unprocessable(error.message)
  }
}

const Info = z.object({ private: z.boolean().default(false), gated: z.union([z.boolean(), z.string()]).default(false) })

const repositories = keptAnswers<HubRepository>()

/** A dataset of the hub with its subsets and splits. */
export const repository = (ctx: Ctx, asker: Asker, name: string): Promise<HubRepository> =>
  asking(ctx, asker, (client) =>
    repositories(keyOf(ctx, asker, name), async () => {
      const splits = await splitsOf(client, ctx.config, name)
      const url = new URL(`${ctx.config.hubUrl}/api/datasets/${name.split('/').map(encodeURIComponent).join('/')}`)
      const said = isRepoId(name) ? Info.safeParse(await client.json(url, `the dataset ${JSON.stringify(name)}`)) : null
      const { private: isPrivate, gated } = said?.data ?? { private: false, gated: false }
      return { name, private: isPrivate, gated: gated !== false, splits }
    }),
  )

type Beginning = {
  readonly rows: readonly SourceRow[]
  readonly names: readonly string[]
  readonly features: Features
  readonly total: number
  readonly all: number | null
  /** What the hub has counted in all rows, by column. */
  readonly whole: ReadonlyMap<string, WholeColumn>
}
/** Milliseconds that rows which are there wait for what the hub has counted. */
const PATIENCE_MS = 3000
const beginnings = keptAnswers<Beginning>()

/** The first rows of a split. */
const beginning = (client: HubClient, ctx: Ctx, asker: Asker, source: HubSource): Promise<Beginning> =>
  beginnings(keyOf(ctx, asker, source), async () => {
    const counted = wholeOf(client, ctx.config, source)
    // NOTE: awaited below; a fault of the rows comes first
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
    const late = pause(PATIENCE_MS, new Map<string, WholeColumn>(), { ref: false })
    return { rows, names, features, total, all, whole: await Promise.race([counted, late]) }
  })

/** Columns and first rows of a split. */
export const preview = (ctx: Ctx, asker: Asker, { name, subset, split }: HubSource): Promise<HubPreview> =>
  asking(ctx, asker, async (client) => {
    const { rows, names, features, total, all, whole } = await beginning(client, ctx, asker, { name, subset, split })
    const judged = inspect(rows, names, false).map((column) => judgedByAll(column, whole.get(column.name)))
    const columns = judged.map((column) => described(column, features[column.name]))
    return { name, subset, split, total, all, columns, rows: firstRows(rows, columns) }
  })

/** What the first rows would become in a dataset that does not exist yet; writes nothing. */
export const check = (ctx: Ctx, asker: Asker, body: BodyOf<typeof checkHub>): Promise<FileCheck> =>
  asking(ctx, asker, async (client) => {
    const { name, subset, split, ...plan } = body
    const schema = planSchema(plan)
    const { rows: first, total } = await beginning(client, ctx, asker, { name, subset, split })
    const rows = first.slice(0, checkedRows)
    const ids = { idOf: (row: number) => `${split}_${row - 1}`, isNewWithoutId: false, rowsNameColumns: false }
    const recipe = { mapping: plan.mapping, schema, ...ids, limits: limitsOf(ctx.config) }
    const { places, packed, faults } = prepareRows(rows, recipe)
    const refused = judgeBatch({ mapping: plan.mapping, places, packed }, { schema, allowExtra: true })
    const errors = toldFaults(faults, refused)
    const bad = new Set(errors.map(({ row }) => row))
    const good = rows.filter(({ row }) => !bad.has(row)).slice(0, shownRows)
    const records = good.flatMap((row) => planRow(row, recipe) ?? [])
    return { rows: rows.length, whole: rows.length >= total, errors, records }
  })
