import type { Filter, SearchBody } from '@postil/contract/search.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Include } from '@postil/contract/wire/query-lists.ts'
import { datasetFor, type FoundDataset } from '#features/datasets/public.ts'
import { isTextIndexed, unfilledProperties } from '#features/jobs/public.ts'
import { presentPage, type RecordPage, viewerOf } from '#features/records/public.ts'
import { fieldRows, metadataPropertyRows, questionRows, vectorSettingsRows } from '#features/schema/public.ts'
import { ownTests, seesFinalAnswers } from '#features/test-items/public.ts'
import { type Actor, isAdminOf, isOwner } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { withDatasetNumber } from '#platform/db/keys/dataset-number.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { CountKind } from '#platform/db/tables.ts'
import { compile, type Search, type SearchSchema } from './conditions/compile.ts'
import { findHits, type Hits } from './hits.ts'
import { isShuffled, type QueueOrder } from './order/user-order.ts'
import { searchPolicy } from './policy.ts'
import { type CacheEntry, CacheMiss, SearchCache, type Stamp, withoutMiss } from './search-cache.ts'
import type { SearchContext } from './search-context.ts'

export type SearchArgs = {
  readonly user: Actor
  readonly dataset_id: string
  /**
   * Whether the search uses the caller's own answers and the caller's individual record order. If false, it uses all users'
   * answers and the shared order.
   */
  readonly isOwn: boolean
  readonly body: SearchBody
  readonly offset: number
  readonly limit: number
  readonly include: Include
}

/**
 * If `quick`, the search runs in the fast lane and uses the provided cache entries, which other threads have computed. If not,
 * the search computes every result that isn't cached.
 */
export type SearchLane = { readonly quick: boolean; readonly provided: readonly CacheEntry[] }
export type SearchOutcome =
  | { readonly missingKeys: readonly string[]; readonly stamp: Stamp }
  | {
      readonly page: RecordPage
      readonly found: Pick<Hits, 'hits' | 'total'>
      readonly made: readonly CacheEntry[]
      readonly large: Hits['large'] | null
    }

/** Returns the kinds of entities that a request body refers to. Only these parts of the schema are read. */
const entitiesOf = ({ query: searchQuery, filters, sort }: SearchBody): ReadonlySet<string> => {
  const scopes = [...(filters?.and ?? []), ...(sort ?? [])].map(({ scope }) => scope)
  return new Set([
    ...(searchQuery?.text ? ['field'] : []),
    ...(searchQuery?.vector ? ['vector'] : []),
    ...scopes.map((scope) => {
      if (scope.entity === 'metadata') return 'property'
      if ('compared_with' in scope && scope.compared_with) return 'question'
      return 'question' in scope && typeof scope.question === 'string' ? 'question' : 'record'
    }),
  ])
}

const loadSchema = async (db: Db, datasetId: string, body: SearchBody, seesHidden: boolean): Promise<SearchSchema> => {
  const entities = entitiesOf(body)
  const [fields, questions, properties, vectors] = await pipeline([
    entities.has('field') ? fieldRows(db, datasetId) : [],
    entities.has('question') ? questionRows(db, datasetId) : [],
    entities.has('property') ? metadataPropertyRows(db, datasetId) : [],
    entities.has('vector') ? vectorSettingsRows(db, datasetId) : [],
  ])
  const seen = seesHidden ? properties : properties.filter((property) => property.visible_for_annotators)
  return { fields, questions, properties: seen, vectors }
}

const usesAgreement = ({ atoms, sort }: Search): boolean =>
  [...atoms, ...sort].some((one) => 'values' in one && one.values.table === 'agreement')

/**
 * Checks that everything that a search refers to exists in the dataset.
 * @throws Problem unprocessable if something doesn't exist, or if the search sorts by something that has no order
 */
export const refuseUnknown = async (db: Db, datasetId: string, body: SearchBody): Promise<void> => {
  const search = compile(body, await loadSchema(db, datasetId, body, true), {
    user: null,
    seesReviews: true,
    seesSuggestions: true,
  })
  if (usesAgreement(search)) refuseUnfilled(await stateOf(db, datasetId))
}

const usesMetadata = ({ atoms, sort }: Search): boolean =>
  [...atoms, ...sort].some((one) => 'values' in one && one.values.origin.in === 'metadata')

type DatasetState = {
  readonly stamp: Stamp
  readonly agreementFilled: boolean
  /** Whether there are pending records for which more answers than the minimum were requested. */
  readonly hasExtra: boolean
} & Pick<SearchContext, 'counts' | 'reopened' | 'textIndexed' | 'textDue' | 'assignmentsVersion'>

const stateByNo = prepared((db, { datasetId, no }: { readonly datasetId: string; readonly no: number }) =>
  db.sql
    .selectFrom('dataset_state')
    .innerJoin('datasets', 'datasets.no', 'dataset_state.dataset_no')
    .select((eb) => {
      const countOf = (kind: CountKind) =>
        eb
          .selectFrom('dataset_counts')
          .select((of) => of.fn.sum<number | null>('n').as('n'))
          .where('dataset_counts.dataset_no', '=', no)
          .where('kind', '=', kind)
      return [
        'content_version',
        'next_seq',
        'text_version',
        'text_rebuilt_to',
        'text_due_from',
        'agreement_filled_to',
        'assignments_version',
        countOf('pending').as('pending'),
        countOf('completed').as('completed'),
        countOf('reopened').as('reopened'),
        countOf('extra_pending').as('extra'),
      ]
    })
    .where('dataset_state.dataset_no', '=', no)
    .where('datasets.id', '=', datasetId),
)

/** Returns a dataset's counts and versions. `stamp` shows whether a cached search result is still current. */
export const stateOf = async (db: Db, datasetId: string): Promise<DatasetState> => {
  const state = await withDatasetNumber(db, datasetId, async (no) => (await stateByNo(db, { datasetId, no }))[0])
  if (state === undefined) throw new Error(`dataset ${datasetId} has no state`)
  const { content_version, next_seq, text_version, text_rebuilt_to, pending, completed, reopened } = state
  return {
    stamp: { version: content_version, nextSeq: next_seq },
    counts: { pending: pending ?? 0, completed: completed ?? 0 },
    reopened: reopened ?? 0,
    hasExtra: Number(state.extra ?? 0) > 0,
    textIndexed: isTextIndexed({ text_version, text_rebuilt_to }),
    textDue: state.text_due_from !== null,
    agreementFilled: state.agreement_filled_to === null,
    assignmentsVersion: state.assignments_version,
  }
}

/** @throws Problem unprocessable if the agreement on some records hasn't been computed yet */
const refuseUnfilled = ({ agreementFilled }: DatasetState): void => {
  if (!agreementFilled) throw unprocessable(message('agreementUnfilled'))
}

type PrepareArgs = Pick<SearchArgs, 'user' | 'dataset_id' | 'isOwn' | 'body'> &
  SearchLane & {
    /**
     * True if the search is part of the dataset's configuration, false if the user sent it. A search from the configuration may
     * use metadata and agreement that are hidden from the user.
     */
    readonly seesHidden?: boolean
  }

/**
 * Finds the user's test items in the same round trip that reads the dataset. To do so, it uses the cached number of the dataset.
 * This number may be outdated, so the caller must compare `no` with the number that was read.
 */
const findOwnTests = (db: Db, datasetId: string, userId: string) =>
  withDatasetNumber(db, datasetId, async (no) => ({ no, tests: await ownTests(db, no, userId) }))

/**
 * Reads everything that a search needs from the snapshot. `context` is null for a draft dataset, which has no records.
 * `showsTests`: the results include the user's test items.
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const prepareSearch = async (db: Db, args: PrepareArgs) => {
  const { user, isOwn, seesHidden = searchPolicy.seeHidden(user) } = args
  const isConfigured = args.seesHidden === true
  // The queue adds test items itself.
  const showsTests = isOwn && !isConfigured
  const [dataset, schema, state, viewer, found] = await pipeline([
    datasetFor(db, args.dataset_id, user),
    loadSchema(db, args.dataset_id, args.body, seesHidden),
    stateOf(db, args.dataset_id),
    viewerOf(db, args.dataset_id, user, { own: isOwn }),
    showsTests ? findOwnTests(db, args.dataset_id, user.id) : undefined,
  ])
  if (!searchPolicy[isOwn || isConfigured ? 'mine' : 'all'](user, dataset)) throw forbidden()
  const isLead = isOwner(user) || isAdminOf(user, dataset)
  const seesReviews = !isOwn || isConfigured || seesFinalAnswers(dataset, user.id, isLead)
  const seesSuggestions = isConfigured || viewer.hidingRule === null
  const search = compile(args.body, schema, { user: isOwn ? user.id : null, seesReviews, seesSuggestions })
  if (usesAgreement(search)) {
    if (!(args.seesHidden ?? searchPolicy.seeAgreement(user))) throw forbidden()
    refuseUnfilled(state)
  }
  const { stamp, agreementFilled: _, hasExtra: __, ...counted } = state
  const order: QueueOrder = { userId: user.id, shuffled: isShuffled(dataset) }
  const cache = new SearchCache(db, dataset.no, stamp, args)
  if (dataset.status === 'draft') return { dataset, search, order, viewer, stamp, cache, showsTests, context: null }
  const tests = !showsTests ? [] : found?.no === dataset.no ? found.tests : await ownTests(db, dataset.no, user.id)
  const context: SearchContext = {
    db,
    datasetNo: dataset.no,
    size: stamp.nextSeq,
    fields: schema.fields,
    unfilled: usesMetadata(search) ? await unfilledProperties(db, dataset.no) : new Set(),
    ownTests: tests,
    keepsVolatile: !isOwn,
    ...counted,
    cache,
  }
  return { dataset, search, order, viewer, stamp, cache, showsTests, context }
}

/**
 * Runs a search on one snapshot.
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const runSearch = query('search.run', async (db, args: SearchArgs & SearchLane): Promise<SearchOutcome> => {
  const { isOwn, offset, limit } = args
  const { dataset, search, order, viewer, stamp, cache, context, showsTests } = await prepareSearch(db, args)
  if (context === null) return { page: { presented: [] }, found: { hits: [], total: 0 }, made: [], large: null }
  const hits = await findHits(context, search, isOwn ? order : null, { offset, limit })
  if (hits instanceof CacheMiss) return { missingKeys: hits.keys, stamp }
  const { large = null, ...found } = hits
  const seqs = found.hits.map(({ seq }) => seq)
  const testSeqs = showsTests ? new Set(context.ownTests.map(({ seq }) => seq)) : undefined
  const page = await presentPage(db, dataset, seqs, { include: args.include, viewer, testSeqs })
  return { page, found, made: cache.made, large }
})

/**
 * Returns the `seq`s of all records that match a search, in search order. Answer filters and sort keys refer to all users'
 * answers. Slow: must run in the slow lane.
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const findAll = query(
  'search.find-all',
  async (db, args: Pick<SearchArgs, 'user' | 'dataset_id' | 'body'>): Promise<Float64Array> => {
    const { search, context } = await prepareSearch(db, { ...args, isOwn: false, quick: false, provided: [] })
    if (context === null) return new Float64Array()
    const { hits } = withoutMiss(await findHits(context, search, null, { offset: 0, limit: Math.max(1, context.size) }))
    return Float64Array.from(hits, ({ seq }) => seq)
  },
)

/**
 * Counts the pending records that the user hasn't answered and that are assigned to other people but not to the user. Must be
 * called inside another feature's query. @throws Problem not_found, forbidden
 */
export const countAssignedToOthers = async (db: Db, args: Pick<SearchArgs, 'user' | 'dataset_id'>): Promise<number> => {
  const isPending = (entity: 'record' | 'response'): Filter => ({
    type: 'terms',
    scope: { entity, property: 'status' },
    values: ['pending'],
  })
  const body: SearchBody = { filters: { and: [isPending('record'), isPending('response')] } }
  const { search, context } = await prepareSearch(db, {
    ...args,
    body,
    isOwn: true,
    seesHidden: true,
    quick: false,
    provided: [],
  })
  if (context === null) return 0
  const assigned = { kind: 'assigned', users: [args.user.id], nobody: true, negated: true } as const
  const found = { ...search, atoms: [...search.atoms, assigned] }
  return withoutMiss(await findHits(context, found, null, { offset: 0, limit: 0 })).total
}

type FindOwnArgs = Pick<SearchArgs, 'user' | 'dataset_id' | 'body'> & { readonly limit: number | null }

/**
 * Runs a search inside another feature's query. Returns the `seq`s of the matching records. Answer filters and sort keys refer to
 * the caller's answers. The search can be slow.
 * @param limit maximum number of records, in the caller's order; null for all
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const findOwn = async (
  db: Db,
  { limit, ...args }: FindOwnArgs,
): Promise<{ dataset: FoundDataset; seqs: readonly number[] }> => {
  const { dataset, search, order, context } = await prepareSearch(db, { ...args, isOwn: true, quick: false, provided: [] })
  if (context === null) return { dataset, seqs: [] }
  const page = { offset: 0, limit: limit ?? Math.max(1, context.size) }
  const { hits } = withoutMiss(await findHits(context, search, order, page))
  return { dataset, seqs: hits.map(({ seq }) => seq) }
}
