import { shownStatus } from '#features/test-items/public.ts'
import { TextDue } from '#platform/db/text/text-due.ts'
import { CacheMiss, type CacheSpec } from '../search-cache.ts'
import { recordCount, type SearchContext } from '../search-context.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import { withAnswers, withAnswerTimes } from './answers.ts'
import { withAssigned } from './assigned.ts'
import { type Atom, type AtomOf, isVolatile, keyOf } from './atoms.ts'
import { withChosen } from './chosen.ts'
import {
  allRecords,
  ofStatus,
  withExternalIdRange,
  withExternalIds,
  withIdRange,
  withIds,
  withTimes,
  withVectors,
} from './columns.ts'
import { withOpenComments } from './commented.ts'
import { withComparison } from './comparisons.ts'
import { isKept, keptConditions } from './kept.ts'
import { withNumberRange, withNumbers, withTermRange, withTerms } from './narrow.ts'
import { recordsById, withRecords } from './record-ids.ts'
import { withFinalAnswer, withReview } from './reviewed.ts'
import { findText, fuzzyCount, type PreparedText, parseText, prepareText, RECHECK, textCost } from './text-hits.ts'
import { scanAtom, unfilledProperty } from './unfilled.ts'

/** A result in the form in which it is cached. It is a plain object, because threads can exchange only plain objects. */
type CachedSet = { readonly negated: boolean; readonly words: Uint32Array }
const cachedSetBytes = ({ words }: CachedSet): number => words.byteLength
const toCachedSet = ({ negated, set }: Signed): CachedSet => ({ negated, words: set.words })
const fromCachedSet = ({ negated, words }: CachedSet): Signed => ({ negated, set: new SeqSet(words) })

type ListedKind = Exclude<
  Atom['kind'],
  'text' | 'answers' | 'answer_times' | 'chosen' | 'comparison' | 'status' | 'assigned' | 'review' | 'final_answer' | 'commented'
>

/** Each loader returns the matching records, starting at a `seq`, as a `seqList`. */
const loaders: {
  readonly [K in ListedKind]: (context: SearchContext, atom: Extract<Atom, { kind: K }>, from: number) => Promise<string>
} = {
  terms: withTerms,
  term_range: withTermRange,
  numbers: withNumbers,
  number_range: withNumberRange,
  ids: withIds,
  id_range: withIdRange,
  external_ids: withExternalIds,
  external_id_range: withExternalIdRange,
  times: withTimes,
  vectors: withVectors,
  nothing: async () => '',
}

const listMatches = (context: SearchContext, atom: Extract<Atom, { kind: ListedKind }>, from: number): Promise<string> => {
  const property = 'values' in atom ? unfilledProperty(context, atom.values) : null
  if (property !== null && 'values' in atom) return scanAtom(context, atom, property, from)
  const load = loaders[atom.kind] as (context: SearchContext, atom: Atom, from: number) => Promise<string>
  return load(context, atom, from)
}

const cheapKinds: ReadonlySet<Atom['kind']> = new Set(['ids', 'external_ids', 'nothing'])

/** All records. Deleted records leave gaps. */
const allRecordsSpec = (context: SearchContext): CacheSpec<CachedSet> => {
  const { size } = context
  const load = async (from: number) => toCachedSet({ negated: false, set: SeqSet.parse(size, await allRecords(context, from)) })
  return {
    key: 'all',
    cost: recordCount(context) === size - 1 ? 0 : recordCount(context),
    make: async () => (recordCount(context) === size - 1 ? toCachedSet({ negated: false, set: SeqSet.full(size) }) : load(0)),
    extend: async (older, from) => ({
      ...older,
      words: fromCachedSet(older)
        .set.grown(size)
        .or(fromCachedSet(await load(from)).set).words,
    }),
    bytes: cachedSetBytes,
  }
}

export const allOf = async (context: SearchContext): Promise<SeqSet | CacheMiss> => {
  const all = await context.cache.getOrMake(allRecordsSpec(context))
  return all instanceof CacheMiss ? all : fromCachedSet(all).set
}

/** The prepared form of each text condition. */
type Texts = ReadonlyMap<Atom, PreparedText>

/**
 * Returns a key that identifies a content condition. Changes to assignments don't change the content version, so the key of a
 * condition on assignments also contains the version of the assignments.
 */
export const contentKeyOf = ({ assignmentsVersion }: Pick<SearchContext, 'assignmentsVersion'>, atom: Atom): string =>
  atom.kind === 'assigned' ? `${keyOf(atom)} ${assignmentsVersion}` : keyOf(atom)

const atomSpec = (context: SearchContext, atom: Atom, texts: Texts): CacheSpec<CachedSet> => {
  const { size } = context
  const text = texts.get(atom)
  const load = async (from: number): Promise<CachedSet | CacheMiss> => {
    if (atom.kind === 'assigned') return toCachedSet(await withAssigned(context, atom, from))
    if (atom.kind === 'text' && text !== undefined) {
      const found = await findText(context, atom, text, { from, all: () => allOf(context) })
      return found instanceof CacheMiss ? found : toCachedSet(withRecords(found, await recordsById(context, atom, from)))
    }
    return toCachedSet({
      negated: false,
      set: SeqSet.parse(size, await listMatches(context, atom as Extract<Atom, { kind: ListedKind }>, from)),
    })
  }
  return {
    key: contentKeyOf(context, atom),
    cost: text === undefined ? (cheapKinds.has(atom.kind) ? 0 : recordCount(context)) : textCost(context, text),
    make: () => load(0),
    // Cached results of searches with fuzzy words aren't extended to new records. A new record can change which words a fuzzy
    // word matches.
    ...(text?.fuzzy !== true && {
      extend: async (older: CachedSet, from: number) => {
        const newer = await load(from)
        if (newer instanceof CacheMiss) return newer
        return { negated: newer.negated, words: fromCachedSet(older).set.grown(size).or(fromCachedSet(newer).set).words }
      },
    }),
    bytes: cachedSetBytes,
  }
}

/** Records with a status. For the user's test items, the status is the one that the user sees. */
const statusCondition = async (context: SearchContext, statuses: readonly string[]): Promise<Signed> => {
  const { negated, set } = await storedStatusCondition(context, statuses)
  for (const test of context.ownTests) {
    const matches = statuses.includes(shownStatus(test))
    if (matches === negated) set.remove(test.seq)
    else set.add(test.seq)
  }
  return { negated, set }
}

const storedStatusCondition = async (context: SearchContext, statuses: readonly string[]): Promise<Signed> => {
  const { size, counts } = context
  const [first] = statuses
  if (first === undefined) return { negated: false, set: SeqSet.empty(size) }
  if (statuses.length > 1) return { negated: true, set: SeqSet.empty(size) }
  // Reads the smaller of the two sets and negates it if necessary.
  const smaller = counts.pending <= counts.completed ? 'pending' : 'completed'
  return { negated: smaller !== first, set: SeqSet.parse(size, await ofStatus(context, smaller)) }
}

/** Evaluates conditions that answers can change. */
const volatileCondition = async (context: SearchContext, atom: Atom): Promise<Signed> => {
  if (atom.kind === 'answers') return withAnswers(context, atom)
  if (atom.kind === 'answer_times') return { negated: false, set: await withAnswerTimes(context, atom) }
  if (atom.kind === 'chosen') return { negated: false, set: await withChosen(context, atom) }
  if (atom.kind === 'comparison') return { negated: false, set: await withComparison(context, atom) }
  if (atom.kind === 'review') return withReview(context, atom)
  if (atom.kind === 'final_answer') return { negated: false, set: await withFinalAnswer(context, atom) }
  if (atom.kind === 'commented') return { negated: false, set: await withOpenComments(context) }
  if (atom.kind === 'status') return statusCondition(context, atom.statuses)
  return {
    negated: false,
    set: SeqSet.parse(context.size, await listMatches(context, atom as Extract<Atom, { kind: ListedKind }>, 0)),
  }
}

export type Conditions = {
  /** Conditions that depend only on content. */
  readonly content: readonly Signed[]
  readonly volatile: readonly Signed[]
  readonly texts: Texts
}

/** @throws TextDue if new records are not in the text index yet */
const prepared = async (context: SearchContext, atom: AtomOf<'text'>): Promise<PreparedText | CacheMiss> => {
  if (context.textDue) throw new TextDue()
  const parsed = parseText(context, atom)
  const fuzzy = fuzzyCount(parsed)
  if (context.textIndexed && fuzzy === 0) return prepareText(context, parsed)
  return context.cache.getOrMake({
    key: `words ${keyOf(atom)}`,
    // With a text index, the cost is that of reading the vocabulary and comparing it with each fuzzy word. Without a text index,
    // it is the cost of reading all texts.
    cost: recordCount(context) * (context.textIndexed ? 0.5 + fuzzy / 10 : RECHECK),
    make: () => prepareText(context, parsed),
    bytes: () => 10_000,
  })
}

/**
 * Number of entries of the answer and status indexes that cost as much to read as one ordinary index entry. Entries of these two
 * indexes are small.
 */
const SMALL = 4

/** The cost of comparing the values of one answer. The unit is the cost of reading one ordinary index entry. */
const COMPARED = 4

/**
 * Returns how many answers a user has given, or all users if `user` is null. A condition on these answers may have to read all of
 * them, so its cost depends on this number.
 */
const answersOf = async ({ db, datasetNo }: SearchContext, user: string | null): Promise<number> => {
  let query = db.sql
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
  if (user !== null) query = query.where('user_id', '=', user)
  return (await query.executeTakeFirst())?.n ?? 0
}

/** Whether a condition reads one small row per record. */
const isPerRecord = (atom: Atom): boolean => atom.kind === 'review' || ('values' in atom && atom.values.table === 'agreement')

/** Estimates the cost of conditions whose results can change when answers change. The cost is measured in index entries. */
const volatileCost = async (context: SearchContext, atoms: readonly Atom[]): Promise<number> => {
  const { counts } = context
  const answerAtoms = atoms.filter((atom) => atom.kind === 'answers' || ('values' in atom && atom.values.table === 'response'))
  const [first] = answerAtoms.map((atom) => ('values' in atom ? atom.values.user : atom.kind === 'answers' ? atom.user : null))
  let cost = first === undefined ? 0 : (answerAtoms.length * (await answersOf(context, first))) / SMALL
  for (const atom of atoms) {
    if (atom.kind === 'answer_times') cost += await answersOf(context, atom.user)
    if (atom.kind === 'final_answer') cost += recordCount(context) * COMPARED
    if (atom.kind === 'chosen') cost += (await answersOf(context, atom.user)) * COMPARED
    if (atom.kind === 'comparison') {
      const [user = null, ...others] = atom.users ?? []
      cost += (await answersOf(context, others.length === 0 ? user : null)) * COMPARED
    }
    if (atom.kind === 'status') cost += Math.min(counts.pending, counts.completed) / SMALL
    if (atom.kind === 'times') cost += recordCount(context)
    if (isPerRecord(atom)) cost += recordCount(context) / SMALL
  }
  return cost
}

/** @throws TextDue if a text condition needs new records that are not in the text index yet */
export const conditionsOf = async (context: SearchContext, atoms: readonly Atom[]): Promise<Conditions | CacheMiss> => {
  const { cache } = context
  const texts = new Map<Atom, PreparedText>()
  for (const atom of atoms) {
    if (atom.kind !== 'text') continue
    const text = await prepared(context, atom)
    if (text instanceof CacheMiss) return text
    texts.set(atom, text)
  }
  const volatileAtoms = atoms.filter(isVolatile)
  const unkept = volatileAtoms.filter((atom) => !isKept(context, atom))
  const costly = cache.isQuick ? cache.missOfCost(await volatileCost(context, unkept)) : null
  if (costly !== null) return costly
  const specs = atoms.filter((atom) => !isVolatile(atom)).map((atom) => atomSpec(context, atom, texts))
  const missing = cache.missOf(specs)
  if (missing !== null) return missing
  const content: Signed[] = []
  for (const spec of specs) {
    const set = await cache.getOrMake(spec)
    if (set instanceof CacheMiss) return set
    content.push(fromCachedSet(set))
  }
  const kept = await keptConditions(
    context,
    volatileAtoms.filter((atom) => isKept(context, atom)),
    { evaluate: volatileCondition, costOf: (atom) => volatileCost(context, [atom]) },
  )
  if (kept instanceof CacheMiss) return kept
  const volatile = [...kept]
  for (const atom of unkept) volatile.push(await volatileCondition(context, atom))
  return { content, volatile, texts }
}
