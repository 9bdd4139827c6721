import type { MetadataHistogram } from '@postil/contract/metadata-properties.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { unfilledProperties } from '#features/jobs/public.ts'
import type { MetadataPropertyRow } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import { query } from '#platform/db/operations.ts'
import { serverMetadataTypes } from '#question-types/metadata.ts'
import { scanProperty } from '../conditions/unfilled.ts'
import type { SearchLane } from '../queries.ts'
import type { CachedResult } from '../search-cache.ts'
import { countedOf, findProperty, type Range, rangeOf } from './overviews.ts'

type Bin = { readonly from: number; readonly to: number }

/**
 * Returns bins of equal width over a range. Edges of whole-number bins are chosen so that each number is in exactly one bin.
 */
export const binsOver = ({ min, max }: Range, most: number, whole: boolean): readonly Bin[] => {
  if (min === max) return [{ from: min, to: max }]
  if (!whole) {
    // Each edge is a weighted mean of `min` and `max`, because their difference can exceed the largest number. If there are only
    // a few numbers between them, some edges are equal, and there are fewer bins.
    const even = Array.from({ length: most - 1 }, (_, i) => min * (1 - (i + 1) / most) + max * ((i + 1) / most))
    const edges = [...new Set([min, ...even.filter((edge) => edge > min && edge < max), max])].sort((a, b) => a - b)
    return edges.slice(1).map((to, i) => ({ from: edges[i] ?? min, to }))
  }
  const width = Math.ceil((max - min + 1) / most)
  const count = Math.ceil((max - min + 1) / width)
  return Array.from({ length: count }, (_, i) => ({ from: min + i * width, to: Math.min(min + (i + 1) * width - 1, max) }))
}

/**
 * Counts with one index query per bin. Together, the queries scan the numbers exactly once.
 * @param counted `rows` if each record has at most one number, `records` if a record may have several in a bin
 */
export const countByRows = async (
  db: Db,
  datasetNo: number,
  key: number,
  bins: readonly Bin[],
  counted: 'rows' | 'records' = 'rows',
): Promise<readonly number[]> => {
  const row = await db.sql
    .selectNoFrom((eb) =>
      bins.map(({ from }, i) => {
        const next = bins[i + 1]
        const upward = eb
          .selectFrom('record_numbers')
          .select((of) => (counted === 'rows' ? of.fn.countAll<number>() : of.fn.count<number>('seq').distinct()).as('n'))
          .where('dataset_no', '=', datasetNo)
          .where('key', '=', key)
          .where('number', '>=', from)
        return (next === undefined ? upward : upward.where('number', '<', next.from)).as(`n${i}`)
      }),
    )
    .executeTakeFirstOrThrow()
  return bins.map((_, i) => Number(Reflect.get(row, `n${i}`)))
}

/** Counts by reading the records. Used while the property's index rows are incomplete. */
const countByRecords = async (
  db: Db,
  datasetNo: number,
  property: MetadataPropertyRow,
  { bins, whole }: { readonly bins: number; readonly whole: boolean },
): Promise<MetadataHistogram> => {
  const numbers: number[] = []
  await scanProperty({ db, datasetNo }, property, 0, (_, found) => numbers.push(...found.numbers))
  const range = numbers.reduce<Range | null>(
    (all, number) => ({ min: Math.min(all?.min ?? number, number), max: Math.max(all?.max ?? number, number) }),
    null,
  )
  const made = range === null ? [] : binsOver(range, bins, whole).map((bin) => ({ ...bin, count: 0 }))
  for (const number of numbers) {
    const at = made.findLast(({ from }) => number >= from)
    if (at) at.count += 1
  }
  return { bins: made }
}

type Args = SearchLane & { readonly user: Actor; readonly property_id: string; readonly bins: number }

/** @throws Problem not_found, forbidden, unprocessable */
export const metadataHistogram = query(
  'search.metadata-histogram',
  async (db, { user, property_id, bins, ...lane }: Args): Promise<CachedResult<MetadataHistogram>> => {
    const { dataset, property } = await findProperty(db, property_id, user)
    const { numeric } = serverMetadataTypes[property.settings.type]
    if (numeric === null) throw unprocessable(message('noNumbers', { name: property.name }))
    const whole = numeric === 'whole'
    const isUnfilled = (await unfilledProperties(db, dataset.no)).has(property.no)
    const count = async (): Promise<MetadataHistogram> => {
      if (isUnfilled) return countByRecords(db, dataset.no, property, { bins, whole })
      const key = indexKey(property.no)
      const range = await rangeOf(db, dataset.no, key)
      if (range === null) return { bins: [] }
      const made = binsOver(range, bins, whole)
      const counts = await countByRows(db, dataset.no, key, made)
      return { bins: made.map((bin, i) => ({ ...bin, count: counts[i] ?? 0 })) }
    }
    return countedOf(db, dataset, { ...lane, name: `histogram ${property.no} ${bins}`, isUnfilled, needsScan: true, count })
  },
)
