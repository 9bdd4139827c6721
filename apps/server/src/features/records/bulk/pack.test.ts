import type { RecordUpsert } from '@postil/contract/records.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countChanges } from '#platform/db/text/token-counts.ts'
import { piecesOfBulk, prepareBulk } from './bulk-pipeline.ts'
import { packContent, packRecords, packTokensOf, takeTokens, unpackBulk, unpackRecords } from './pack.ts'
import { BulkTokens, type PackedTokens, packTokens, type RecordLists } from './packed-tokens.ts'
import { type PreparedRecord, prepareRecord, prepareUpdate } from './prepare.ts'

const words = fc.constantFrom('a', 'b', 'Ä', '=user', '__proto__', 'constructor', '', 'two words')
const lists = fc.array(fc.option(fc.array(words, { maxLength: 5 })), { maxLength: 4 })
/** A record's lists, and the indexes of the lists whose words are counted. */
const ofRecord = lists.chain((own) => fc.record({ lists: fc.constant(own), first: fc.subarray([...own.keys()]) }))

const read = (packed: PackedTokens): BulkTokens => {
  const tokens = new BulkTokens()
  tokens.receive(structuredClone(packed))
  return tokens
}

it('returns every record’s lists in any order, including missing, empty and repeated ones', () => {
  fc.assert(
    fc.property(fc.array(ofRecord, { maxLength: 5 }), (records) => {
      const tokens = read(packTokens(records))
      for (const [i, { lists }] of [...records.entries()].reverse()) expect(tokens.of(i)).toEqual(lists)
    }),
  )
})

it('counts the records per word in the same way as the index', () => {
  fc.assert(
    fc.property(fc.array(ofRecord, { maxLength: 5 }), (records) => {
      const fieldsOf = ({ lists, first }: RecordLists) => first.map((i) => ({ field: i, tokens: lists[i] ?? [] }))
      const expected = countChanges(records.map((one, seq) => ({ seq, before: null, after: fieldsOf(one) })))
      const isWhole = records.every(({ lists, first }) => first.every((i) => lists[i] !== null))
      expect(read(packTokens(records)).found()).toEqual(isWhole ? expected : null)
    }),
  )
})

it('has no lists and counts before the tokens arrive', () => {
  const tokens = new BulkTokens()
  expect([tokens.of(0), tokens.found()]).toEqual([[], null])
})

it('contains each word once', () => {
  const { words, places } = packTokens([
    { lists: [['a', 'b', 'a'], null], first: [0] },
    { lists: [[], ['b']], first: [0] },
  ])
  expect({ words, places }).toEqual({ words: ['a', 'b'], places: Uint32Array.of(0, 1, 0, 1) })
})

/** Replaces the `tokens` function with its result. */
const plain = (items: readonly PreparedRecord[]) =>
  items.map(({ fields, ...rest }) => ({ ...rest, fields: fields && { ...fields, tokens: fields.tokens() } }))

it('round-trips prepared records', () => {
  const question_id = '00000000-0000-7000-8000-000000000000'
  const sent: readonly RecordUpsert[] = [
    { external_id: 'one', fields: { text: 'A text, a word', chat: [{ role: 'User', content: 'a word' }], none: null } },
    { id: question_id, metadata: null, vectors: { v: [1, 2.5] } },
    {
      fields: { text: 'word' },
      metadata: { a: [1, 'x'] },
      suggestions: [{ question_id, value: 'yes', score: 0.5 }],
      vectors: {},
    },
    { fields: { text: '' }, suggestions: [] },
    { fields: null },
  ]
  const items = sent.map(prepareRecord)
  expect(plain(unpackRecords(packRecords(items)))).toEqual(plain(items))
  const later = unpackBulk(packContent(items))
  takeTokens(later.tokens, packTokensOf(items))
  expect(plain(later.items)).toEqual(plain(items))
})

it('round-trips an empty change', () => {
  const items = [prepareUpdate({})]
  expect(unpackRecords(packRecords(items))).toEqual(items)
})

it('serializes the stored records even if the serializing thread is gone', async () => {
  const sent: readonly RecordUpsert[] = [{ fields: { text: 'Ä word' }, vectors: { v: [1, 2.5] } }, { fields: { text: 'b' } }]
  const bulk = prepareBulk(sent.map(prepareRecord), 100)
  const expected = await piecesOfBulk(bulk)
  const gone = { first: bulk.first, rest: () => Promise.reject(new Error('the thread is gone')) }
  expect(await piecesOfBulk(gone)).toEqual(expected)
})
