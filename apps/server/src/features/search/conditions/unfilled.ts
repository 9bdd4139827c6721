import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { MetadataPropertyRow } from '#features/schema/service.ts'
import { serverMetadataTypes } from '#question-types/metadata.ts'
import type { Reach } from '../reach.ts'
import type { Atom, SortKey, Values } from './atoms.ts'
import { isWithin } from './long-terms.ts'

const RECORDS_AT_ONCE = 2000

type Found = { readonly terms: readonly string[]; readonly numbers: readonly number[] }

/** Reads a property off the records themselves, for the time until its narrow rows are complete. */
export const scanProperty = async (
  { db, datasetNo }: Pick<Reach, 'db' | 'datasetNo'>,
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
      .limit(RECORDS_AT_ONCE)
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

/** The property whose values an atom or sort looks at while its narrow rows are not complete. */
export const unfilledProperty = (reach: Reach, values: Values): MetadataPropertyRow | null =>
  values.origin.in === 'metadata' && reach.unfilled.has(values.origin.property.no) ? values.origin.property : null

type OnValues = Extract<Atom, { readonly values: Values }>

const holds = (atom: OnValues, { terms, numbers }: Found): boolean => {
  if (atom.kind === 'terms') return terms.some((term) => atom.terms.includes(term))
  if (atom.kind === 'term_range') return terms.some((term) => isWithin(term, atom.bounds))
  if (atom.kind === 'numbers') return numbers.some((number) => atom.numbers.includes(number))
  const { ge, le } = atom.bounds
  return numbers.some((number) => (ge === null || number >= ge) && (le === null || number <= le))
}

/** The records that match, as a `SeqList`. */
export const scanAtom = async (reach: Reach, atom: OnValues, property: MetadataPropertyRow, from: number): Promise<string> => {
  const seqs: number[] = []
  await scanProperty(reach, property, from, (seq, found) => {
    if (holds(atom, found)) seqs.push(seq)
  })
  return seqs.join(',')
}

/** What a sort compares of each record that has something. */
export const scanSort = async (
  reach: Reach,
  key: SortKey & { readonly by: 'values' },
  property: MetadataPropertyRow,
  better: (a: string | number, b: string | number) => boolean,
): Promise<Map<number, string | number>> => {
  const best = new Map<number, string | number>()
  await scanProperty(reach, property, 0, (seq, { terms, numbers }) => {
    for (const value of key.values.kind === 'terms' ? terms : numbers) {
      const known = best.get(seq)
      if (known === undefined || better(value, known)) best.set(seq, value)
    }
  })
  return best
}
