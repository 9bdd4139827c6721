import type { CopiedPart } from '@postil/contract/copied-rows.ts'
import type { AppContext } from '#context.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { adoptRows, type CopiedRows, countBefore, hasSeqs, type RowLeftOut } from './adopt-rows.ts'
import { replaceUsers } from './copied-users.ts'
import type { People } from './people.ts'
import type { PlannedDataset } from './plan.ts'
import type { SourceClient } from './source/client.ts'
import type { CopiedRow } from './source/copied-shapes.ts'
import { readCopiedRows } from './source/read.ts'

/** The `seq`s of a dataset's records at the source. They are read in pages, in the same order as the records. */
export class SourceSeqs {
  readonly #pages: AsyncGenerator<readonly CopiedRow['records'][]>
  readonly #known = new Map<string, number>()

  constructor(client: SourceClient, datasetId: string) {
    this.#pages = readCopiedRows(client, datasetId, 'records')
  }

  /** Returns the `seq`s of the given records, keyed by ID. Records that were added after the `seq`s were read are missing. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    while (ids.some((id) => !this.#known.has(id))) {
      const page = await this.#pages.next()
      if (page.done === true) break
      for (const { id, seq } of page.value) this.#known.set(id, seq)
    }
    const found = new Map(ids.flatMap((id) => (this.#known.has(id) ? [[id, this.#known.get(id) ?? 0]] : [])))
    for (const id of ids) this.#known.delete(id)
    return found
  }
}

/** Replaces the IDs of the source's users with the IDs of local users. Users whom the source no longer lists keep their IDs. */
const withLocalUsers = async <P extends CopiedPart>(
  part: P,
  rows: readonly CopiedRow[P][],
  people: People,
): Promise<readonly CopiedRow[P][]> => {
  const replace = replaceUsers[part]
  const local = new Map<string, string>()
  const named = new Set<string>()
  for (const row of rows)
    replace(row, (id) => {
      named.add(id)
      return id
    })
  for (const id of named) local.set(id, (await people.localId(id)) ?? id)
  return rows.map((row) => replace(row, (id) => local.get(id) ?? id))
}

type Options = {
  readonly client: SourceClient
  readonly people: People
  readonly user: Actor
  /** The dataset's snapshots at the source. */
  readonly snapshots: readonly CopiedRow['snapshots'][]
}
export type CopiedRowCounts = { readonly gold: number; readonly comments: number; readonly snapshots: number }
type CopiedRowsResult = CopiedRowCounts & { readonly leftOut: readonly RowLeftOut[] }

/** The parts in the order in which they are copied. */
const parts = ['review', 'versions', 'seen_versions', 'gold', 'comments', 'test_items', 'test_people', 'history'] as const

/**
 * Checks that the source's records have the same `seq`s here, and that no other record here has a `seq` from before the last
 * snapshot. Otherwise, the snapshots would refer to the wrong records.
 */
const haveSameSeqs = async (
  { store }: AppContext,
  dataset_id: string,
  { client, snapshots }: Pick<Options, 'client' | 'snapshots'>,
): Promise<boolean> => {
  const end = Math.max(...snapshots.map(({ next_seq }) => next_seq))
  let before = 0
  for await (const records of readCopiedRows(client, dataset_id, 'records')) {
    if (!(await store.read(hasSeqs, { dataset_id, records }))) return false
    before += records.filter(({ seq }) => seq < end).length
  }
  return (await store.read(countBefore, { dataset_id, seq: end })) === before
}

/**
 * Copies what the source's records don't contain: review settings, versions of labels and guidelines, final answers, comments, test
 * items, history and snapshots. The records must have been copied. Each page is one transaction.
 * @throws MigrationError, Problem
 */
export const copyRows = async (
  ctx: AppContext,
  { source: { id: dataset_id }, isNew }: PlannedDataset,
  { client, people, user, snapshots }: Options,
): Promise<CopiedRowsResult> => {
  const leftOut: RowLeftOut[] = []
  const counts = { gold: 0, comments: 0, snapshots: snapshots.length }
  const adopt = async <P extends (typeof parts)[number] | 'snapshots'>(part: P, rows: readonly CopiedRow[P][]) => {
    // The part and its rows belong together, but TypeScript can't check this because `part` isn't a literal here.
    const copied = { part, rows: await withLocalUsers(part, rows, people) } as unknown as CopiedRows
    leftOut.push(...(await ctx.store.write(adoptRows, { user, dataset_id, copied, isKnown: !isNew })))
  }
  const copyPart = async <P extends (typeof parts)[number]>(part: P): Promise<number> => {
    let count = 0
    for await (const rows of readCopiedRows(client, dataset_id, part)) {
      count += rows.length
      if (rows.length > 0) await adopt(part, rows)
    }
    return count
  }
  for (const part of parts) {
    const count = await copyPart(part)
    if (part === 'gold' || part === 'comments') counts[part] = count
  }
  if (snapshots.length > 0 && (await haveSameSeqs(ctx, dataset_id, { client, snapshots }))) await adopt('snapshots', snapshots)
  else
    for (const { name } of snapshots)
      leftOut.push({
        record_id: null,
        part: `the snapshot '${name}'`,
        reason: 'the records here differ from those on the source',
      })
  return { ...counts, leftOut }
}
