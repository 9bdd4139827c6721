import type { RecordUpsert } from '@postil/contract/records.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packRecords, unpackRecords } from './pack.ts'
import { packTokens, TokenReader } from './packed-tokens.ts'
import { prepareRecord, prepareUpdate } from './prepare.ts'
import { piecesOfBulk, prepareBulk } from './prepared-bulk.ts'

const words = fc.constantFrom('a', 'b', 'Ä', '=user', '__proto__', 'constructor', '', 'two words')
const lists = fc.array(fc.option(fc.array(words, { maxLength: 5 })), { maxLength: 8 })

it('gives back every list of words, none, empty and repeated ones too', () => {
  fc.assert(
    fc.property(lists, (given) => {
      const reader = new TokenReader(structuredClone(packTokens(given)))
      const half = Math.floor(given.length / 2)
      expect([...reader.next(half), ...reader.next(given.length - half)]).toEqual(given)
    }),
  )
})

it('carries each word once', () => {
  expect(packTokens([['a', 'b', 'a'], null, [], ['b']])).toEqual({
    words: ['a', 'b'],
    lengths: Int32Array.of(3, -1, 0, 1),
    places: Uint32Array.of(0, 1, 0, 1),
  })
})

it('gives back records as they were prepared', () => {
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
  expect(unpackRecords(packRecords(items))).toEqual(items)
})

it('gives back a change of nothing as one', () => {
  const items = [prepareUpdate({})]
  expect(unpackRecords(packRecords(items))).toEqual(items)
})

it('prints what was stored although the thread that was to print it is gone', async () => {
  const sent: readonly RecordUpsert[] = [{ fields: { text: 'Ä word' }, vectors: { v: [1, 2.5] } }, { fields: { text: 'b' } }]
  const bulk = prepareBulk(sent.map(prepareRecord))
  const expected = await piecesOfBulk(bulk)
  const gone = { first: bulk.first, rest: () => Promise.reject(new Error('the thread is gone')) }
  expect(await piecesOfBulk(gone)).toEqual(expected)
})
