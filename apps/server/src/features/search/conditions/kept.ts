import { type ChangeCounts, changeCounts, changedSince } from '#platform/db/record-changes.ts'
import { CacheMiss } from '../search-cache.ts'
import type { SearchContext } from '../search-context.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import { type Atom, isVolatile, keyOf } from './atoms.ts'

/* Evaluating a condition that depends on answers may require reading every answer. Searches over everyone's answers therefore
   keep the results. Later searches evaluate such a condition only on records that have changed since. */

/** A kept result as a plain object, because threads can exchange only plain objects. */
type Kept = { readonly negated: boolean; readonly words: Uint32Array; readonly changes: ChangeCounts }

/** Maximum number of changed records for which a kept result is updated. If more have changed, the result is computed again. */
const MAX_CHANGED = 5000
/** Approximate number of index entries that must be read to evaluate a condition on one changed record. */
const ENTRIES_PER_RECORD = 10

/**
 * Whether the results of a condition are cached for later searches. Results about open comments aren't cached, because open
 * comments are few and indexed.
 */
export const isKept = ({ keepsVolatile }: SearchContext, atom: Atom): boolean =>
  keepsVolatile && isVolatile(atom) && atom.kind !== 'commented'

type State = {
  readonly atom: Atom
  readonly key: string
  readonly older: Kept | null
  /** The records that may have changed since the result was kept; null if the result must be computed again. */
  readonly changed: readonly number[] | null
}

/** The records that have changed or been added since a result was stored in the cache. */
const changedRecords = async (
  { db, datasetNo, size }: SearchContext,
  { value, nextSeq }: { readonly value: Kept; readonly nextSeq: number },
  newer: ChangeCounts,
): Promise<readonly number[] | null> => {
  const limit = MAX_CHANGED - (size - nextSeq)
  if (limit <= 0) return null
  const changed = await changedSince(db, datasetNo, { older: value.changes, newer, limit })
  if (changed === null) return null
  const added = Array.from({ length: size - nextSeq }, (_, i) => nextSeq + i)
  return [...new Set([...changed, ...added])]
}

/** Updates a kept result for the records that have changed. @param fresh the condition's result for these records */
const updated = ({ negated, words }: Kept, fresh: Signed, changed: readonly number[], size: number): SeqSet => {
  const set = new SeqSet(words).grown(size)
  for (const seq of changed) {
    const matches = fresh.set.has(seq) !== fresh.negated
    if (matches === negated) set.remove(seq)
    else set.add(seq)
  }
  return set
}

type Evaluation = {
  readonly evaluate: (context: SearchContext, atom: Atom) => Promise<Signed>
  /** Approximate number of index entries that must be read to evaluate a condition on all records. */
  readonly costOf: (atom: Atom) => Promise<number>
}

/**
 * Evaluates conditions. Uses cached results, and evaluates the conditions again only for records that have changed since.
 * @returns the results in the order of the conditions
 */
export const keptConditions = async (
  context: SearchContext,
  atoms: readonly Atom[],
  { evaluate, costOf }: Evaluation,
): Promise<readonly Signed[] | CacheMiss> => {
  if (atoms.length === 0) return []
  const { db, datasetNo, size, cache } = context
  const changes = await changeCounts(db, datasetNo)
  const states: State[] = []
  let cost = 0
  for (const atom of atoms) {
    const key = `kept ${keyOf(atom)}`
    const found = cache.updatable<Kept>(key)
    const changed = found && (await changedRecords(context, found, changes))
    states.push({ atom, key, older: found?.value ?? null, changed })
    if (cache.isQuick) cost += changed === null ? await costOf(atom) : changed.length * ENTRIES_PER_RECORD
  }
  if (cache.missOfCost(cost) !== null) return new CacheMiss(states.map(({ key }) => cache.fullKey(key)))
  const results: Signed[] = []
  for (const { atom, key, older, changed } of states) {
    if (older !== null && changed?.length === 0) {
      results.push({ negated: older.negated, set: new SeqSet(older.words) })
      continue
    }
    const result =
      older === null || changed === null
        ? await evaluate(context, atom)
        : { negated: older.negated, set: updated(older, await evaluate({ ...context, only: changed }, atom), changed, size) }
    const kept: Kept = { negated: result.negated, words: result.set.words, changes }
    cache.keep(key, kept, kept.words.byteLength + changes.size * 50)
    results.push(result)
  }
  return results
}
