import { TextDue } from '#platform/db/text/text-due.ts'
import type { Wanted } from '../kept.ts'
import { type Reach, recordsIn } from '../reach.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import { withAnswers } from './answers.ts'
import { type Atom, type AtomOf, isVolatile, keyOf } from './atoms.ts'
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
import { withNumberRange, withNumbers, withTermRange, withTerms } from './narrow.ts'
import { findText, isFuzzy, type PreparedText, parseText, prepareText, RECHECK, textCost } from './text-hits.ts'
import { scanAtom, unfilledProperty } from './unfilled.ts'

/** As it is kept: threads hand over plain objects only. */
export type KeptSet = { readonly negated: boolean; readonly words: Uint32Array }
const keptBytes = ({ words }: KeptSet): number => words.byteLength
const toKept = ({ negated, set }: Signed): KeptSet => ({ negated, words: set.words })
const fromKept = ({ negated, words }: KeptSet): Signed => ({ negated, set: new SeqSet(words) })

type Listed = Exclude<Atom['kind'], 'text' | 'answers' | 'status'>

/** The records from a `seq` on that match, as a `SeqList`. */
const loaders: { readonly [K in Listed]: (reach: Reach, atom: Extract<Atom, { kind: K }>, from: number) => Promise<string> } = {
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

const list = (reach: Reach, atom: Extract<Atom, { kind: Listed }>, from: number): Promise<string> => {
  const property = 'values' in atom ? unfilledProperty(reach, atom.values) : null
  if (property !== null && 'values' in atom) return scanAtom(reach, atom, property, from)
  const load = loaders[atom.kind] as (reach: Reach, atom: Atom, from: number) => Promise<string>
  return load(reach, atom, from)
}

const few: ReadonlySet<Atom['kind']> = new Set(['ids', 'external_ids', 'nothing'])

/** All records; those that were deleted leave holes. */
export const allKept = (reach: Reach): Wanted<KeptSet> => {
  const { size } = reach
  const load = async (from: number) => toKept({ negated: false, set: SeqSet.parse(size, await allRecords(reach, from)) })
  return {
    key: 'all',
    cost: recordsIn(reach) === size - 1 ? 0 : recordsIn(reach),
    make: async () => (recordsIn(reach) === size - 1 ? toKept({ negated: false, set: SeqSet.full(size) }) : load(0)),
    extend: async (older, from) => ({
      ...older,
      words: fromKept(older)
        .set.grown(size)
        .or(fromKept(await load(from)).set).words,
    }),
    bytes: keptBytes,
  }
}

export const allOf = async (reach: Reach): Promise<SeqSet> => fromKept(await reach.keeper.take(allKept(reach))).set

/** What is known of a text before it is searched for. */
type Texts = ReadonlyMap<Atom, PreparedText>

const wantedSet = (reach: Reach, atom: Atom, texts: Texts): Wanted<KeptSet> => {
  const { size } = reach
  const text = texts.get(atom)
  const load = async (from: number): Promise<KeptSet> => {
    if (atom.kind === 'text' && text !== undefined) {
      return toKept(await findText(reach, atom, text, { from, all: () => allOf(reach) }))
    }
    return toKept({ negated: false, set: SeqSet.parse(size, await list(reach, atom as Extract<Atom, { kind: Listed }>, from)) })
  }
  return {
    key: keyOf(atom),
    cost: text === undefined ? (few.has(atom.kind) ? 0 : recordsIn(reach)) : textCost(reach, text),
    make: () => load(0),
    // NOTE: what a fuzzy word stands for may change with a new record
    ...(text?.fuzzy !== true && {
      extend: async (older: KeptSet, from: number) => {
        const newer = await load(from)
        return { negated: newer.negated, words: fromKept(older).set.grown(size).or(fromKept(newer).set).words }
      },
    }),
    bytes: keptBytes,
  }
}

const statusCondition = async (reach: Reach, statuses: readonly string[]): Promise<Signed> => {
  const { size, counts } = reach
  const [first] = statuses
  if (first === undefined) return { negated: false, set: SeqSet.empty(size) }
  if (statuses.length > 1) return { negated: true, set: SeqSet.empty(size) }
  // The smaller of two halves is read.
  const smaller = counts.pending <= counts.completed ? 'pending' : 'completed'
  return { negated: smaller !== first, set: SeqSet.parse(size, await ofStatus(reach, smaller)) }
}

/** Conditions that answers change: read each time. */
const volatileCondition = async (reach: Reach, atom: Atom): Promise<Signed> => {
  if (atom.kind === 'answers') return withAnswers(reach, atom)
  if (atom.kind === 'status') return statusCondition(reach, atom.statuses)
  return { negated: false, set: SeqSet.parse(reach.size, await list(reach, atom as Extract<Atom, { kind: Listed }>, 0)) }
}

export type Conditions = {
  /** From content alone. */
  readonly content: readonly Signed[]
  readonly volatile: readonly Signed[]
  readonly texts: Texts
}

/** @throws TextDue when new records are not in the text index yet */
const prepared = async (reach: Reach, atom: AtomOf<'text'>): Promise<PreparedText> => {
  if (reach.textDue) throw new TextDue()
  const parsed = parseText(reach, atom)
  if (reach.textIndexed && !isFuzzy(parsed)) return prepareText(reach, parsed)
  return reach.keeper.take({
    key: `words ${keyOf(atom)}`,
    // NOTE: the vocabulary is read, or without an index all texts
    cost: recordsIn(reach) * (reach.textIndexed ? 0.5 : RECHECK),
    make: () => prepareText(reach, parsed),
    bytes: () => 10_000,
  })
}

/** Entries of the indexes of answers and statuses are small: so many count as one. */
const SMALL = 4

/** How many answers a condition on a user's, or everyone's, may read. */
const answersOf = async ({ db, datasetNo }: Reach, user: string | null): Promise<number> => {
  let query = db.sql
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
  if (user !== null) query = query.where('user_id', '=', user)
  return (await query.executeTakeFirst())?.n ?? 0
}

/** @throws Cold on the page's path when what is never kept takes too long to read */
const expectVolatile = async (reach: Reach, atoms: readonly Atom[]): Promise<void> => {
  const { counts, keeper } = reach
  const ofAnswers = atoms.filter((atom) => atom.kind === 'answers' || ('values' in atom && atom.values.table === 'response'))
  const [first] = ofAnswers.map((atom) => ('values' in atom ? atom.values.user : atom.kind === 'answers' ? atom.user : null))
  let cost = first === undefined ? 0 : (ofAnswers.length * (await answersOf(reach, first))) / SMALL
  for (const atom of atoms) {
    if (atom.kind === 'status') cost += Math.min(counts.pending, counts.completed) / SMALL
    if (atom.kind === 'times') cost += recordsIn(reach)
  }
  keeper.expect(cost)
}

/** @throws Cold on the page's path */
export const conditionsOf = async (reach: Reach, atoms: readonly Atom[]): Promise<Conditions> => {
  const { keeper } = reach
  const texts = new Map<Atom, PreparedText>()
  for (const atom of atoms) if (atom.kind === 'text') texts.set(atom, await prepared(reach, atom))
  await expectVolatile(reach, atoms.filter(isVolatile))
  const kept = atoms.filter((atom) => !isVolatile(atom)).map((atom) => wantedSet(reach, atom, texts))
  keeper.require(kept)
  const content: Signed[] = []
  for (const wanted of kept) content.push(fromKept(await keeper.take(wanted)))
  const volatile: Signed[] = []
  for (const atom of atoms) if (isVolatile(atom)) volatile.push(await volatileCondition(reach, atom))
  return { content, volatile, texts }
}
