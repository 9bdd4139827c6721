import type { SearchBody } from '@postil/contract/search.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { Include } from '@postil/contract/wire/query-lists.ts'
import { datasetFor, type FoundDataset } from '#features/datasets/service.ts'
import { isTextIndexed, unfilledProperties } from '#features/jobs/service.ts'
import { presentRecords, type Viewer, viewerOf } from '#features/records/service.ts'
import { fieldRows, metadataPropertyRows, questionRows, vectorSettingsRows } from '#features/schema/service.ts'
import type { Db } from '#platform/db/db.ts'
import { byNumberOf } from '#platform/db/keys/dataset-number.ts'
import { query } from '#platform/db/operations.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import { together } from '#platform/db/statements/together.ts'
import type { CountKind } from '#platform/db/tables.ts'
import { compile, type Search, type SearchSchema } from './conditions/compile.ts'
import { findHits, type Hits } from './hits.ts'
import { Cold, Keeper, type KeptEntry, type Stamp } from './kept.ts'
import { type Actor, searchPolicy } from './policy.ts'
import type { Reach } from './reach.ts'

export type SearchArgs = {
  readonly user: Actor
  readonly dataset_id: string
  /** Whose answers count and in whose order records come: the caller's, or everyone's and nobody's. */
  readonly mine: boolean
  readonly body: SearchBody
  readonly offset: number
  readonly limit: number
  readonly include: Include
}
/** On the page's path, with what other threads have made for it; or in full. */
export type SearchLane = { readonly quick: boolean; readonly given: readonly KeptEntry[] }
export type SearchOutcome =
  | { readonly cold: readonly string[]; readonly stamp: Stamp }
  | { readonly text: string; readonly made: readonly KeptEntry[]; readonly large: Hits['large'] | null }

/** What a body names; nothing else of the schema is read. */
const entitiesOf = ({ query: asked, filters, sort }: SearchBody): ReadonlySet<string> => {
  const scopes = [...(filters?.and ?? []), ...(sort ?? [])].map(({ scope }) => scope)
  return new Set([
    ...(asked?.text ? ['field'] : []),
    ...(asked?.vector ? ['vector'] : []),
    ...scopes.map((scope) => {
      if (scope.entity === 'metadata') return 'property'
      return 'question' in scope && typeof scope.question === 'string' ? 'question' : 'record'
    }),
  ])
}

const loadSchema = async (db: Db, datasetId: string, body: SearchBody, seesHidden: boolean): Promise<SearchSchema> => {
  const named = entitiesOf(body)
  const [fields, questions, properties, vectors] = await together([
    named.has('field') ? fieldRows(db, datasetId) : [],
    named.has('question') ? questionRows(db, datasetId) : [],
    named.has('property') ? metadataPropertyRows(db, datasetId) : [],
    named.has('vector') ? vectorSettingsRows(db, datasetId) : [],
  ])
  const seen = seesHidden ? properties : properties.filter((property) => property.visible_for_annotators)
  return { fields, questions, properties: seen, vectors }
}

/** @throws Problem unprocessable for a search that names what the dataset does not have, or sorts by what has no order */
export const refuseUnknown = async (db: Db, datasetId: string, body: SearchBody): Promise<void> => {
  compile(body, await loadSchema(db, datasetId, body, true), { user: null })
}

const looksAtMetadata = ({ atoms, sort }: Search): boolean =>
  [...atoms, ...sort].some((one) => 'values' in one && one.values.origin.in === 'metadata')

type State = { readonly stamp: Stamp } & Pick<Reach, 'counts' | 'reopened' | 'textIndexed' | 'textDue'>

const stateByNo = prepared((db, { datasetId, no }: { readonly datasetId: string; readonly no: number }) =>
  db.sql
    .selectFrom('dataset_state')
    .innerJoin('datasets', 'datasets.no', 'dataset_state.dataset_no')
    .select((eb) => {
      const counted = (kind: CountKind) =>
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
        counted('pending').as('pending'),
        counted('completed').as('completed'),
        counted('reopened').as('reopened'),
      ]
    })
    .where('dataset_state.dataset_no', '=', no)
    .where('datasets.id', '=', datasetId),
)

/** Where a dataset stands: what is counted of it, and up to where it reaches. */
export const stateOf = async (db: Db, datasetId: string): Promise<State> => {
  const state = await byNumberOf(db, datasetId, async (no) => (await stateByNo(db, { datasetId, no }))[0])
  if (state === undefined) throw new Error(`dataset ${datasetId} has no state`)
  const { content_version, next_seq, text_version, text_rebuilt_to, text_due_from, pending, completed, reopened } = state
  return {
    stamp: { version: content_version, nextSeq: next_seq },
    counts: { pending: pending ?? 0, completed: completed ?? 0 },
    reopened: reopened ?? 0,
    textIndexed: isTextIndexed({ text_version, text_rebuilt_to }),
    textDue: text_due_from !== null,
  }
}

const print = async (
  db: Db,
  dataset: FoundDataset,
  { include, viewer }: { readonly include: Include; readonly viewer: Viewer },
  { hits, total }: Hits,
): Promise<string> => {
  const seqs = hits.map(({ seq }) => seq)
  const presented = new Map((await presentRecords(db, dataset, seqs, { include, viewer })).map(({ seq, text }) => [seq, text]))
  const items = hits.map(({ seq, score }) => `{"record":${presented.get(seq)},"query_score":${JSON.stringify(score)}}`)
  return `{"items":[${items.join(',')}],"total":${total}}`
}

type Asked = Pick<SearchArgs, 'user' | 'dataset_id' | 'mine' | 'body'> &
  SearchLane & {
    /** The search is the dataset's own, not its user's: it may look at metadata that they are not shown. */
    readonly seesHidden?: boolean
  }

/**
 * What a search needs to be carried out, read from the snapshot; `reach` is null for a draft, which has no records.
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const prepareSearch = async (db: Db, args: Asked) => {
  const { user, mine, seesHidden = searchPolicy.seeHidden(user) } = args
  const [dataset, schema, { stamp, counts, reopened, textIndexed, textDue }, viewer] = await together([
    datasetFor(db, args.dataset_id, user),
    loadSchema(db, args.dataset_id, args.body, seesHidden),
    stateOf(db, args.dataset_id),
    viewerOf(db, args.dataset_id, user, { own: mine }),
  ])
  if (!searchPolicy[mine ? 'mine' : 'all'](user, dataset)) throw forbidden()
  const search = compile(args.body, schema, { user: mine ? user.id : null })
  const keeper = new Keeper(db, dataset.no, stamp, args)
  if (dataset.status === 'draft') return { dataset, search, viewer, stamp, keeper, reach: null }
  const reach: Reach = {
    db,
    datasetNo: dataset.no,
    size: stamp.nextSeq,
    fields: schema.fields,
    counts,
    reopened,
    unfilled: looksAtMetadata(search) ? await unfilledProperties(db, dataset.no) : new Set(),
    textIndexed,
    textDue,
    keeper,
  }
  return { dataset, search, viewer, stamp, keeper, reach }
}

/**
 * A search from the dataset to the answer's JSON, on one snapshot.
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const runSearch = query('search.run', async (db, args: SearchArgs & SearchLane): Promise<SearchOutcome> => {
  const { user, mine, offset, limit } = args
  const { dataset, search, viewer, stamp, keeper, reach } = await prepareSearch(db, args)
  if (reach === null) return { text: '{"items":[],"total":0}', made: [], large: null }
  try {
    const found = await findHits(reach, search, mine ? user.id : null, { offset, limit })
    return {
      text: await print(db, dataset, { include: args.include, viewer }, found),
      made: keeper.made,
      large: found.large ?? null,
    }
  } catch (error) {
    if (error instanceof Cold) return { cold: error.keys, stamp }
    throw error
  }
})

/**
 * All records that a search by everyone's answers finds, in its order, as their `seq`s. Takes its time: for the slow lane.
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const findAll = query(
  'search.find-all',
  async (db, args: Pick<SearchArgs, 'user' | 'dataset_id' | 'body'>): Promise<Float64Array> => {
    const { search, reach } = await prepareSearch(db, { ...args, mine: false, quick: false, given: [] })
    if (reach === null) return new Float64Array()
    const { hits } = await findHits(reach, search, null, { offset: 0, limit: Math.max(1, reach.size) })
    return Float64Array.from(hits, ({ seq }) => seq)
  },
)

type Mine = Pick<SearchArgs, 'user' | 'dataset_id' | 'body'> & { readonly limit: number | null }

/**
 * What a search by the caller's answers finds, as `seq`s, inside the query of another feature; it takes its time.
 * @param limit at most so many, in the caller's order; null for all
 * @throws Problem not_found, forbidden, unprocessable, business
 */
export const findMine = async (db: Db, { limit, ...args }: Mine): Promise<{ dataset: FoundDataset; seqs: readonly number[] }> => {
  const { dataset, search, reach } = await prepareSearch(db, { ...args, mine: true, quick: false, given: [] })
  if (reach === null) return { dataset, seqs: [] }
  const { hits } = await findHits(reach, search, args.user.id, { offset: 0, limit: limit ?? Math.max(1, reach.size) })
  return { dataset, seqs: hits.map(({ seq }) => seq) }
}
