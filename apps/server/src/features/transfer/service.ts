import type { AppContext } from '#context.ts'
import type { Actor } from '#features/records/service.ts'
import { adoptWholeDataset, orderAuthors } from './commands.ts'
import { Images } from './images.ts'
import { copyPeople, type PasswordBook, People } from './people.ts'
import { makePlan, type Plan, type PlannedDataset, type Wanted } from './plan.ts'
import { contents, holdings } from './queries.ts'
import { type CopiedRecords, copyRecords } from './records.ts'
import { type Compared, type ComparedPeople, compareDataset, comparePeople } from './recount.ts'
import { shownAddress, sourceAddress } from './source/address.ts'
import { createSourceClient, type SourceClient } from './source/client.ts'
import { readAuthors } from './source/read.ts'
import { TransferError } from './transfer-error.ts'
import { copyViews } from './views.ts'

export type { PasswordBook } from './people.ts'
export type { Plan, Wanted } from './plan.ts'
export type { Compared, ComparedPeople, Contents } from './recount.ts'

export type TransferOptions = {
  /** As a person typed it. */
  readonly url: string
  /** Of an owner at the source. */
  readonly apiKey: string
  readonly wanted: Wanted
  readonly passwords: PasswordBook
  /** Told when it begins with a dataset and after each of its pages. */
  readonly onProgress: (progress: { readonly dataset: string; readonly done: number; readonly total: number }) => void
  /** Told a sentence when the source keeps it waiting. */
  readonly onRetry: (sentence: string) => void
}

/** Something that was not copied, and why. */
export type NotCopied = {
  readonly dataset: string
  /** Null for what belongs to no record. */
  readonly record_id: string | null
  readonly part: string
  readonly reason: string
}
export type Transferred = {
  readonly source: string
  readonly version: string
  readonly made: { readonly users: number; readonly records: number; readonly images: number }
  readonly changed: { readonly records: number }
  readonly people: ComparedPeople
  readonly datasets: readonly Compared[]
  readonly left_out: readonly NotCopied[]
  readonly notes: readonly string[]
  /** Whether both sides count the same. */
  readonly equal: boolean
}

const open = ({ url, apiKey, onRetry }: Pick<TransferOptions, 'url' | 'apiKey' | 'onRetry'>): SourceClient =>
  createSourceClient({ url: sourceAddress(url), apiKey, onRetry })

/** What a transfer would do; nothing is written. @throws TransferError where the source cannot be read */
export const planTransfer = async (
  ctx: AppContext,
  options: Pick<TransferOptions, 'url' | 'apiKey' | 'wanted' | 'onRetry'>,
): Promise<Plan & { readonly source: string }> => {
  const client = open(options)
  const here = await ctx.store.read(holdings, null)
  return { ...(await makePlan(client, here, options.wanted)), source: shownAddress(client.url) }
}

const adoptSettings = async ({ store }: AppContext, { source, schema, queue, workspace }: PlannedDataset): Promise<void> => {
  const { distribution, last_activity_at, workspace_id: _, ...dataset } = source
  await store.write(adoptWholeDataset, {
    dataset: {
      ...dataset,
      workspace_id: workspace.id,
      min_submitted: distribution,
      last_activity_at: last_activity_at ?? dataset.updated_at,
    },
    schema,
    queue,
  })
}

/**
 * Copies another server of the same wire: people, workspaces, datasets, records with their stored images and answers, with their ids and times. The same again
 * goes on where it was interrupted, and brings only what is new. The source is only read.
 * @returns a recount of both sides
 * @throws TransferError where the source cannot be read, or something of it has no place here; before anything is written where that
 * can be known. FileStoreFault where images cannot be kept
 */
export const transfer = async (ctx: AppContext, user: Actor, options: TransferOptions): Promise<Transferred> => {
  const client = open(options)
  const here = await ctx.store.read(holdings, null)
  const plan = await makePlan(client, here, options.wanted)
  if (plan.problems.length > 0) throw new TransferError(plan.problems.join('\n'))
  const people = new People(ctx, client, plan, options.passwords)
  await copyPeople(ctx, plan, people)
  const images = new Images(ctx, client, { here, plan })
  const left_out: NotCopied[] = []
  const copied = new Map<PlannedDataset, CopiedRecords>()
  const actor = { id: user.id, role: user.role }
  for (const dataset of plan.datasets) {
    const { name, id: dataset_id } = dataset.source
    options.onProgress({ dataset: name, done: 0, total: dataset.records })
    await adoptSettings(ctx, dataset)
    const onPage = (done: number, total: number) => options.onProgress({ dataset: name, done, total })
    const records = await copyRecords(ctx, dataset, { client, people, images, user: actor, onPage })
    copied.set(dataset, records)
    left_out.push(...records.leftOut.map((one) => ({ dataset: name, ...one })))
    const order = people.idsOf(await readAuthors(client, dataset_id))
    await ctx.store.write(orderAuthors, { dataset_id, order })
    for (const { name: view, reason } of await copyViews(ctx, dataset, { people, user: actor }))
      left_out.push({ dataset: name, record_id: null, part: `the saved view '${view}'`, reason })
  }
  const datasets: Compared[] = []
  for (const [dataset, seen] of copied) {
    const rows = await ctx.store.read(contents, { id: dataset.source.id })
    const kept = await images.countHere(seen.images.values())
    datasets.push(await compareDataset(client, dataset, seen, { ...rows, images: kept }))
  }
  const compared = await comparePeople(plan, people, await ctx.store.read(holdings, null))
  const all = [...copied]
  const sum = (of: (one: CopiedRecords) => number) => all.reduce((n, [, one]) => n + of(one), 0)
  return {
    source: shownAddress(client.url),
    version: plan.version,
    made: { users: people.made, records: sum(({ created }) => created), images: images.made },
    changed: { records: sum(({ changed }) => changed) },
    people: compared,
    datasets,
    left_out,
    notes: [...plan.notes, ...people.notes],
    equal: compared.equal && datasets.every(({ equal }) => equal),
  }
}
