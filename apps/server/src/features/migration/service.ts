import { SavedViewCreate } from '@postil/contract/saved-views.ts'
import type { AppContext } from '#context.ts'
import { type AdoptedView, adoptViews, type ViewLeftOut } from '#features/saved-views/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import { adoptDatasetWithSchema, orderAuthors } from './commands.ts'
import { type CopiedRowCounts, copyRows, SourceSeqs } from './copy-rows.ts'
import { Images } from './images.ts'
import { MigrationError } from './migration-error.ts'
import { copyPeople, type PasswordBook, People } from './people.ts'
import { type MigrationFilter, makePlan, type Plan, type PlannedDataset } from './plan.ts'
import { contents, existingData } from './queries.ts'
import { type CopiedRecords, copyRecords } from './records.ts'
import { type Compared, type ComparedPeople, compareDataset, comparePeople } from './recount.ts'
import { shownAddress, sourceAddress } from './source/address.ts'
import { createSourceClient, type SourceClient } from './source/client.ts'
import { listsCopiedRows, readAuthors, readCopiedRows } from './source/read.ts'

/**
 * Copies the saved views of a dataset that already exists on this server. @returns the views that were left out. @throws
 * MigrationError, Problem
 */
const copyViews = async (
  { store }: AppContext,
  { source: { id: dataset_id }, views }: PlannedDataset,
  { people, user }: { readonly people: People; readonly user: Actor },
): Promise<readonly ViewLeftOut[]> => {
  const ready: AdoptedView[] = []
  const leftOut: ViewLeftOut[] = []
  for (const { user: author, ...view } of views) {
    const content = SavedViewCreate.safeParse(view)
    const user_id = await people.localId(author.id)
    const skip = (reason: string) => leftOut.push({ name: view.name, reason })
    if (!content.success) skip(content.error.issues[0]?.message ?? 'it is not a valid view')
    else if (user_id === null) skip(`its author ${author.id} is not a user on the source server`)
    else ready.push({ ...view, user_id })
  }
  if (ready.length === 0) return leftOut
  return [...leftOut, ...(await store.write(adoptViews, { user, dataset_id, views: ready }))]
}

type MigrationOptions = {
  /** The URL as the user entered it. */
  readonly url: string
  /** The API key of an owner at the source. */
  readonly apiKey: string
  readonly wanted: MigrationFilter
  readonly passwords: PasswordBook
  /** Called before the first page of each dataset and after each page. */
  readonly onProgress: (progress: { readonly dataset: string; readonly done: number; readonly total: number }) => void
  /** Called with a message before a failed request to the source is sent again. */
  readonly onRetry: (message: string) => void
}

/** A part that was not copied, with the reason. */
type SkippedItem = {
  readonly dataset: string
  /** Null if the item doesn't belong to a record. */
  readonly record_id: string | null
  readonly part: string
  readonly reason: string
}
export type MigrationResult = {
  readonly source: string
  readonly version: string
  readonly made: { readonly users: number; readonly records: number; readonly images: number }
  readonly changed: { readonly records: number }
  readonly people: ComparedPeople
  readonly datasets: readonly Compared[]
  readonly left_out: readonly SkippedItem[]
  readonly notes: readonly string[]
  /** Whether the counts at the source and here match. */
  readonly equal: boolean
}

const open = ({ url, apiKey, onRetry }: Pick<MigrationOptions, 'url' | 'apiKey' | 'onRetry'>): SourceClient =>
  createSourceClient({ url: sourceAddress(url), apiKey, onRetry })

/** Plans a migration without writing anything. @throws MigrationError if the source can't be read */
export const planMigration = async (
  ctx: AppContext,
  options: Pick<MigrationOptions, 'url' | 'apiKey' | 'wanted' | 'onRetry'>,
): Promise<Plan & { readonly source: string }> => {
  const client = open(options)
  const here = await ctx.store.read(existingData, null)
  return { ...(await makePlan(client, here, options.wanted)), source: shownAddress(client.url) }
}

const adoptSettings = async (
  { store }: AppContext,
  { source, schema, queue, search, suggestions, workspace }: PlannedDataset,
): Promise<void> => {
  const { distribution, last_activity_at, workspace_id: _, ...dataset } = source
  await store.write(adoptDatasetWithSchema, {
    dataset: {
      ...dataset,
      workspace_id: workspace.id,
      min_submitted: distribution,
      last_activity_at: last_activity_at ?? dataset.updated_at,
    },
    schema,
    queue,
    search,
    suggestions,
  })
}

/**
 * Copies another server that has the same API (Argilla or Postil), with its IDs and times. Copies users, workspaces, datasets,
 * records, stored images and answers. From a Postil server, it also copies reviews, comments, label changes, history and
 * snapshots. If the migration was interrupted, running it again continues it. Only new data is copied. Doesn't write to the
 * source.
 * @returns what was copied, and whether the counts on both servers match
 * @throws MigrationError if the source or parts of it can't be copied. If possible, it is thrown before anything is written.
 * FileStoreFault if images can't be stored
 */
export const migrate = async (ctx: AppContext, user: Actor, options: MigrationOptions): Promise<MigrationResult> => {
  const client = open(options)
  const existing = await ctx.store.read(existingData, null)
  const plan = await makePlan(client, existing, options.wanted)
  if (plan.problems.length > 0) throw new MigrationError(plan.problems.join('\n'))
  const people = new People(ctx, client, plan, options.passwords)
  await copyPeople(ctx, plan, people)
  const images = new Images(ctx, client, { existing, plan })
  const left_out: SkippedItem[] = []
  const copied = new Map<PlannedDataset, CopiedRecords & CopiedRowCounts>()
  const actor = actorOf(user)
  for (const dataset of plan.datasets) {
    const { name, id: dataset_id } = dataset.source
    options.onProgress({ dataset: name, done: 0, total: dataset.records })
    await adoptSettings(ctx, dataset)
    const onPage = (done: number, total: number) => options.onProgress({ dataset: name, done, total })
    const hasRows = await listsCopiedRows(client, dataset_id)
    const snapshots = hasRows ? (await Array.fromAsync(readCopiedRows(client, dataset_id, 'snapshots'))).flat() : []
    const records = await copyRecords(ctx, dataset, {
      ...{ client, people, images, user: actor, onPage },
      seqs: hasRows ? new SourceSeqs(client, dataset_id) : null,
      snapshots: snapshots.map(({ id }) => id),
    })
    const rows = hasRows
      ? await copyRows(ctx, dataset, { client, people, user: actor, snapshots })
      : { gold: 0, comments: 0, snapshots: 0, leftOut: [] }
    const { leftOut: rowsLeftOut, ...counts } = rows
    copied.set(dataset, { ...records, ...counts })
    left_out.push(...[...records.leftOut, ...rowsLeftOut].map((one) => ({ dataset: name, ...one })))
    const order = people.idsOf(await readAuthors(client, dataset_id))
    await ctx.store.write(orderAuthors, { dataset_id, order })
    for (const { name: view, reason } of await copyViews(ctx, dataset, { people, user: actor }))
      left_out.push({ dataset: name, record_id: null, part: `the saved view '${view}'`, reason })
  }
  const datasets: Compared[] = []
  for (const [dataset, seen] of copied) {
    const rows = await ctx.store.read(contents, { id: dataset.source.id })
    const storedImages = await images.countStored(seen.images.values())
    datasets.push(await compareDataset(client, dataset, seen, { ...rows, images: storedImages }))
  }
  const compared = await comparePeople(plan, people, await ctx.store.read(existingData, null))
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
