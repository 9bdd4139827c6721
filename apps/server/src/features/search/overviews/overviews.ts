import { type MetadataMetrics, maxMetricTerms } from '@postil/contract/metadata-properties.ts'
import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import type { SuggestionOptions } from '@postil/contract/search.ts'
import { forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { datasetFor, type FoundDataset } from '#features/datasets/public.ts'
import { unfilledProperties } from '#features/jobs/public.ts'
import { type MetadataPropertyRow, metadataPropertyRows, type QuestionRow, questionRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey, isLongKey } from '#platform/db/keys/index-keys.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Values } from '../conditions/atoms.ts'
import { compareTexts, textOfKey } from '../conditions/long-terms.ts'
import { scanProperty } from '../conditions/unfilled.ts'
import { searchPolicy } from '../policy.ts'
import { type SearchLane, stateOf } from '../queries.ts'
import { type CachedResult, runWithCache, SearchCache } from '../search-cache.ts'

/**
 * The agents of each question's suggestions, sorted. Requires one index lookup per agent, regardless of the number of
 * suggestions.
 */
export const suggestionOptions = query(
  'search.suggestion-options',
  async (db, { user, dataset_id }: { readonly user: Actor; readonly dataset_id: string }): Promise<SuggestionOptions> => {
    const dataset = await datasetFor(db, dataset_id, user)
    if (!searchPolicy.options(user, dataset)) throw forbidden()
    const items: SuggestionOptions['items'] = []
    for (const question of await questionRows(db, dataset.id)) {
      const { id, name } = question
      items.push({ question: { id, name }, agents: await agentsOf(db, dataset.no, question) })
    }
    return { items }
  },
)

const agentsOf = async (db: Db, datasetNo: number, question: QuestionRow): Promise<string[]> => {
  const key = indexKey(question.no, 'agent')
  const values = { table: 'record', key, kind: 'terms', user: null, origin: { in: 'suggestion', question } } as const
  const agents: string[] = []
  for (let last = ''; ; ) {
    const row = await db.sql
      .selectFrom('record_terms')
      .select(['value_key', 'seq'])
      .where('dataset_no', '=', datasetNo)
      .where('key', '=', key)
      .where('value_key', '>', last)
      .orderBy('value_key')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return agents.sort(compareTexts)
    last = row.value_key
    agents.push(isLongKey(last) ? await textOfKey(db, datasetNo, values, last, row.seq) : last)
  }
}

/** Returns the property and its dataset, if the caller can see the property. @throws Problem not_found, forbidden */
export const findProperty = async (
  db: Db,
  id: string,
  user: Actor,
): Promise<{ dataset: FoundDataset; property: MetadataPropertyRow }> => {
  const place = await db.sql
    .selectFrom('metadata_properties')
    .innerJoin('datasets', 'datasets.id', 'metadata_properties.dataset_id')
    .select('dataset_id')
    .where('metadata_properties.id', '=', id)
    .where('datasets.gone_at', 'is', null)
    .executeTakeFirst()
  const absent = notFound('Metadata property', id)
  if (place === undefined) throw absent
  const dataset = await datasetFor(db, place.dataset_id, user)
  const property = (await metadataPropertyRows(db, dataset.id)).find((row) => row.id === id)
  if (property === undefined) throw absent
  if (!searchPolicy.metrics(user, dataset, property)) throw forbidden()
  return { dataset, property }
}

export type Range = { readonly min: number; readonly max: number }

/** The values in use: for terms, the number of records with each term; for numbers, the minimum and the maximum. */
type UsedTerms = { readonly counts: ReadonlyMap<string, number>; readonly min: number | null; readonly max: number | null }

/** Returns how many records have each term. */
export const countTerms = async (db: Db, datasetNo: number, values: Values): Promise<ReadonlyMap<string, number>> => {
  const terms = await db.sql
    .selectFrom('record_terms')
    .select((eb) => ['value_key', eb.fn.countAll<number>().as('n'), eb.fn.min('seq').as('seq')])
    .where('dataset_no', '=', datasetNo)
    .where('key', '=', values.key)
    .groupBy('value_key')
    .execute()
  const counts = new Map<string, number>()
  for (const { value_key, n, seq } of terms) {
    counts.set(isLongKey(value_key) ? await textOfKey(db, datasetNo, values, value_key, seq) : value_key, n)
  }
  return counts
}

/** Returns a property's minimum and maximum; null if it has no numbers. Reads only the two ends of the index. */
export const rangeOf = async (db: Db, datasetNo: number, key: number): Promise<Range | null> => {
  // With a single query for both ends, SQLite would scan all numbers.
  const end = (order: 'asc' | 'desc') =>
    db.sql
      .selectFrom('record_numbers')
      .select('number')
      .where('dataset_no', '=', datasetNo)
      .where('key', '=', key)
      .orderBy('number', order)
      .limit(1)
      .executeTakeFirst()
  const [least, greatest] = await pipeline([end('asc'), end('desc')])
  return least === undefined || greatest === undefined ? null : { min: least.number, max: greatest.number }
}

const NO_TERMS: ReadonlyMap<string, number> = new Map()

const countUsedByRows = async (db: Db, datasetNo: number, property: MetadataPropertyRow): Promise<UsedTerms> => {
  const key = indexKey(property.no)
  if (property.settings.type === 'terms') {
    const values = { table: 'record', key, kind: 'terms', user: null, origin: { in: 'metadata', property } } as const
    return { counts: await countTerms(db, datasetNo, values), min: null, max: null }
  }
  const range = await rangeOf(db, datasetNo, key)
  return { counts: NO_TERMS, min: range?.min ?? null, max: range?.max ?? null }
}

const countUsedByRecords = async (db: Db, datasetNo: number, property: MetadataPropertyRow): Promise<UsedTerms> => {
  const counts = new Map<string, number>()
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  await scanProperty({ db, datasetNo }, property, 0, (_, { terms, numbers }) => {
    for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const number of numbers) [min, max] = [Math.min(min, number), Math.max(max, number)]
  })
  return { counts, min: Number.isFinite(min) ? min : null, max: Number.isFinite(max) ? max : null }
}

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(5)))

const metrics: { readonly [K in MetadataKind]: (used: UsedTerms) => MetadataMetrics } = {
  terms: ({ counts }) => {
    const values = [...counts].map(([term, count]) => ({ term, count }))
    values.sort((a, b) => b.count - a.count || compareTexts(a.term, b.term))
    return { type: 'terms', total: values.reduce((sum, { count }) => sum + count, 0), values: values.slice(0, maxMetricTerms) }
  },
  integer: ({ min, max }) => ({ type: 'integer', min, max }),
  float: ({ min, max }) => ({ type: 'float', min: rounded(min), max: rounded(max) }),
}

/** Returns a property's counts, cached until the dataset's content changes. */
export const countedOf = async <T extends object>(
  db: Db,
  dataset: FoundDataset,
  countSpec: SearchLane & {
    readonly name: string
    readonly isUnfilled: boolean
    /** Whether computing the counts takes time proportional to the number of records. */
    readonly needsScan: boolean
    readonly count: () => Promise<T>
  },
): Promise<CachedResult<T>> => {
  const { stamp, counts } = await stateOf(db, dataset.id)
  const cache = new SearchCache(db, dataset.no, stamp, countSpec)
  const cost = countSpec.needsScan || countSpec.isUnfilled ? counts.pending + counts.completed : 1
  return runWithCache(cache, async () => {
    if (!countSpec.isUnfilled)
      return cache.getOrMake({
        key: countSpec.name,
        cost,
        make: countSpec.count,
        bytes: (value) => JSON.stringify(value).length * 2,
      })
    // The result isn't cached, because the content version doesn't change when missing index rows are filled in.
    return cache.missOfCost(cost) ?? countSpec.count()
  })
}

/** @throws Problem not_found, forbidden */
export const metadataMetrics = query(
  'search.metadata-metrics',
  async (
    db,
    { user, property_id, ...lane }: SearchLane & { readonly user: Actor; readonly property_id: string },
  ): Promise<CachedResult<MetadataMetrics>> => {
    const { dataset, property } = await findProperty(db, property_id, user)
    const { type } = property.settings
    const isUnfilled = (await unfilledProperties(db, dataset.no)).has(property.no)
    const count = async () => metrics[type](await (isUnfilled ? countUsedByRecords : countUsedByRows)(db, dataset.no, property))
    return countedOf(db, dataset, { ...lane, name: `metrics ${property.no}`, isUnfilled, needsScan: type === 'terms', count })
  },
)
