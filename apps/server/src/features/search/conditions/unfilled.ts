import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { MetadataPropertyRow } from '#features/schema/public.ts'
import { serverMetadataTypes } from '#question-types/metadata.ts'
import type { SearchContext } from '../search-context.ts'
import type { Atom, SortKey, Values } from './atoms.ts'
import { isWithin } from './long-terms.ts'

const RECORDS_PER_BATCH = 2000

type Found = { readonly terms: readonly string[]; readonly numbers: readonly number[] }

/** Reads a property from the records themselves. Used while its index rows are incomplete. */
export const scanProperty = async (
  { db, datasetNo }: Pick<SearchContext, 'db' | 'datasetNo'>,
  property: MetadataPropertyRow,
  from: number,
  visit: (seq: number, found: Found) => void,
): Promise<void> => {
  const type = serverMetadataTypes[property.settings.type]
  for (let next = from; ; ) {
    const rows = await db.sql
      .selectFrom('records')
      .select(['seq', 'metadata'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', '>=', next)
      .orderBy('seq')
      .limit(RECORDS_PER_BATCH)
      .execute()
    for (const { seq, metadata } of rows) {
      if (metadata === null || !Object.hasOwn(metadata, property.name)) continue
      const value = metadata[property.name] as JsonValue
      visit(seq, { terms: type.terms(value), numbers: type.numbers(value) })
    }
    const last = rows.at(-1)
    if (last === undefined) return
    next = last.seq + 1
  }
}

/** Returns the metadata property that an atom or sort key reads, if the property's index rows are incomplete. Otherwise null. */
export const unfilledProperty = (context: SearchContext, values: Values): MetadataPropertyRow | null =>
  values.origin.in === 'metadata' && context.unfilled.has(values.origin.property.no) ? values.origin.property : null

type OnValues = Extract<Atom, { readonly values: Values }>

const holds = (atom: OnValues, { terms, numbers }: Found): boolean => {
  if (atom.kind === 'terms') return terms.some((term) => atom.terms.includes(term))
  if (atom.kind === 'term_range') return terms.some((term) => isWithin(term, atom.bounds))
  if (atom.kind === 'numbers') return numbers.some((number) => atom.numbers.includes(number))
  const { ge, le } = atom.bounds
  return numbers.some((number) => (ge === null || number >= ge) && (le === null || number <= le))
}

/** Returns the matching records, as a `seqList`. */
export const scanAtom = async (
  context: SearchContext,
  atom: OnValues,
  property: MetadataPropertyRow,
  from: number,
): Promise<string> => {
  const seqs: number[] = []
  await scanProperty(context, property, from, (seq, found) => {
    if (holds(atom, found)) seqs.push(seq)
  })
  return seqs.join(',')
}

/** Returns the value by which a sort orders each record, keyed by `seq`. Records without a value are left out. */
export const scanSort = async (
  context: SearchContext,
  key: SortKey & { readonly by: 'values' },
  property: MetadataPropertyRow,
  better: (a: string | number, b: string | number) => boolean,
): Promise<Map<number, string | number>> => {
  const best = new Map<number, string | number>()
  await scanProperty(context, property, 0, (seq, { terms, numbers }) => {
    for (const value of key.values.kind === 'terms' ? terms : numbers) {
      const known = best.get(seq)
      if (known === undefined || better(value, known)) best.set(seq, value)
    }
  })
  return best
}
