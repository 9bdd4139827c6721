import { detail } from '@postil/testkit/detail.ts'
import { scaled } from '@postil/testkit/run-size.ts'
import { emptyStore } from '@postil/testkit/store.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluate, type FieldTokens, indexField, roleToken } from '#platform/text/evaluate.ts'
import { parseTextQuery } from '#platform/text/query.ts'
import { indexable } from '#platform/text/relax.ts'
import { tokenize } from '#platform/text/tokens.ts'
import { type Expr, normalise } from '#platform/text/tree.ts'
import type { Store } from '../store.ts'
import { countedTokens, findText, fuzzyTokens, indexText, purgeText } from './text-index.test.operations.ts'

let store: Store
let drop: () => Promise<void>
let nextDataset = 5000

beforeAll(async () => {
  const opened = await emptyStore({ operations: new URL('./text-index.test.operations.ts', import.meta.url).href })
  store = opened.store
  drop = opened.drop
})
afterAll(() => drop())

type Records = Map<number, readonly FieldTokens[]>

const write = async (datasetNo: number, records: Records, wanted: ReadonlyMap<number, readonly FieldTokens[] | null>) => {
  const changes = [...wanted].map(([seq, after]) => ({ seq, before: records.get(seq) ?? null, after }))
  await store.write(indexText, { datasetNo, changes })
  for (const [seq, after] of wanted) {
    if (after === null) records.delete(seq)
    else records.set(seq, after)
  }
}

/** Evaluates the expression record by record, as the reference result. */
const expected = (records: Records, expr: Expr, field: number | null, from = 0): number[] =>
  [...records]
    .filter(
      ([seq, fields]) =>
        seq >= from &&
        evaluate(
          expr,
          fields.filter((f) => field === null || f.field === field).map((one) => indexField({ ...one, texts: [] })),
        ),
    )
    .map(([seq]) => seq)
    .sort((a, b) => a - b)

const expectCounts = async (datasetNo: number, records: Records) => {
  const counts = new Map<string, number>()
  for (const fields of records.values()) {
    for (const token of new Set(fields.flatMap(({ tokens }) => tokens))) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  expect(await store.read(countedTokens, { datasetNo })).toEqual(counts)
}

const word = fc.constantFrom('a', 'ab', 'abc', 'b', "b's", 'c_d', '3.14', 'é', '漢', 'ſ', 'x:y', 'ı')
const role = fc.constantFrom('user', 'User', 'The bot', "o'r ^|\\=")
const fieldTokens = fc.oneof(
  { weight: 4, arbitrary: fc.array(word, { minLength: 1, maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(role, fc.array(word, { maxLength: 4 })), { minLength: 1, maxLength: 3 })
      .map((messages) => messages.flatMap(([r, words]) => [roleToken(r), ...words])),
  },
)
const text = fc
  .uniqueArray(fc.tuple(fc.constantFrom(0, 1, 2, 3, 4, 6, 7, 8, 9), fieldTokens), { maxLength: 4, selector: ([field]) => field })
  .map((fields) => fields.map(([field, tokens]) => ({ field, tokens })))
const leaf = fc.oneof(
  { weight: 4, arbitrary: word.map((token): Expr => ({ kind: 'token', token })) },
  { weight: 1, arbitrary: role.map((r): Expr => ({ kind: 'role', role: r })) },
  { weight: 1, arbitrary: fc.constantFrom('a', 'ab', 'b', 'x', '3').map((prefix): Expr => ({ kind: 'prefix', prefix })) },
  { weight: 1, arbitrary: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((tokens): Expr => ({ kind: 'any', tokens })) },
  {
    weight: 2,
    arbitrary: fc.array(word, { minLength: 2, maxLength: 3 }).map((tokens): Expr => ({ kind: 'phrase', tokens, slop: 0 })),
  },
)
const { expr: tree } = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      nodes: fc.array(tie('expr'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('minus' as const), from: tie('expr'), less: tie('expr') }),
  ),
}))

describe('the text index', () => {
  it('finds exactly what the query means after changes and deletions, and counts every token', async () => {
    const batches = fc.array(fc.array(fc.tuple(fc.nat(9), fc.option(text, { freq: 4 })), { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(
        batches,
        fc.array(tree, { minLength: 8, maxLength: 8 }),
        fc.constantFrom(null, null, 0, 1, 3, 7, 9),
        fc.constantFrom(0, 0, 4),
        async (steps, exprs, field, from) => {
          const datasetNo = nextDataset++
          const records: Records = new Map()
          for (const step of steps) await write(datasetNo, records, new Map(step))
          const found = await store.read(findText, { datasetNo, scope: { field, from }, exprs })
          expect(found).toEqual(exprs.map((expr) => expected(records, expr, field, from)))
          await expectCounts(datasetNo, records)
        },
      ),
      { numRuns: scaled(60, 120) },
    )
  })

  it('keeps datasets apart and purges one without affecting the other', async () => {
    const [one, two] = [nextDataset++, nextDataset++]
    const records: Records = new Map()
    await write(one, records, new Map([[1, [{ field: 0, tokens: ['shared', 'one'] }]]]))
    await write(
      two,
      new Map(),
      new Map([
        [1, [{ field: 0, tokens: ['shared', 'two'] }]],
        [2, [{ field: 0, tokens: ['shared'] }]],
      ]),
    )
    const exprs: Expr[] = [
      { kind: 'token', token: 'shared' },
      { kind: 'prefix', prefix: 't' },
    ]
    const scope = { field: null, from: 0 }
    expect(await store.read(findText, { datasetNo: one, scope, exprs })).toEqual([[1], []])
    expect(await store.read(findText, { datasetNo: two, scope, exprs })).toEqual([[1, 2], [1]])
    await store.write(purgeText, { datasetNo: two, from: 0, to: 1 })
    expect(await store.read(findText, { datasetNo: one, scope, exprs })).toEqual([[1], []])
    expect(await store.read(findText, { datasetNo: two, scope, exprs })).toEqual([[2], []])
  })

  it('finds everything in long records, however the engine stores them', async () => {
    const datasetNo = nextDataset++
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i}`)
    const long = [...words, 'needle', 'stack', ...Array.from({ length: 300 }, () => 'again'), 'the', 'end']
    const term = tokenize('ab'.repeat(20_000))
    const records: Records = new Map()
    await write(
      datasetNo,
      records,
      new Map([
        [1, [{ field: 0, tokens: ['short', 'needle'] }]],
        [
          2,
          [
            { field: 0, tokens: long },
            { field: 4, tokens: ['other', 'field', ...words.slice(0, 12_000), 'needle'] },
          ],
        ],
        [3, [{ field: 1, tokens: [roleToken('user'), ...term, 'again'] }]],
      ]),
    )
    const t = (token: string): Expr => ({ kind: 'token', token })
    const phrase = (...tokens: string[]): Expr => ({ kind: 'phrase', tokens, slop: 0 })
    const exprs: Expr[] = [
      t('needle'),
      { kind: 'and', nodes: [t('needle'), t('w3')] },
      { kind: 'and', nodes: [t('field'), t('end')] },
      { kind: 'minus', from: t('needle'), less: t('w3') },
      { kind: 'or', nodes: [t('short'), t('end')] },
      phrase('needle', 'stack'),
      phrase('stack', 'needle'),
      phrase('w19999', 'needle', 'stack', 'again'),
      phrase(...words.slice(9_970, 10_030)),
      phrase(...Array.from({ length: 60 }, () => 'again')),
      phrase('again', 'the', 'end'),
      { kind: 'prefix', prefix: 'w1999' },
      t(term[0]!),
      { kind: 'prefix', prefix: 'ababab' },
      phrase(term[0]!, 'again'),
    ]
    for (const field of [null, 0, 1, 4]) {
      const found = await store.read(findText, { datasetNo, scope: { field, from: 0 }, exprs })
      expect(found).toEqual(exprs.map((expr) => expected(records, expr, field)))
    }
    await write(
      datasetNo,
      records,
      new Map([
        [2, null],
        [3, [{ field: 1, tokens: ['small'] }]],
      ]),
    )
    await expectCounts(datasetNo, records)
  })

  detail(
    'accepts a chat of 10 MB',
    async () => {
      const datasetNo = nextDataset++
      const content = tokenize('one two three four five six seven eight nine ten '.repeat(20_000))
      const tokens = Array.from({ length: 10 }, (_, i) => [roleToken('user'), ...content, `mark${i}`]).flat()
      const records: Records = new Map()
      await write(datasetNo, records, new Map([[7, [{ field: 0, tokens }]]]))
      const exprs: Expr[] = [
        { kind: 'phrase', tokens: ['ten', 'mark7'], slop: 0 },
        { kind: 'phrase', tokens: ['mark7', 'one'], slop: 0 },
        {
          kind: 'and',
          nodes: [
            { kind: 'token', token: 'mark0' },
            { kind: 'token', token: 'mark9' },
          ],
        },
        { kind: 'token', token: 'eleven' },
      ]
      expect(await store.read(findText, { datasetNo, scope: { field: null, from: 0 }, exprs })).toEqual([[7], [], [7], []])
    },
    60_000,
  )

  it('reads fuzzy words from the vocabulary', async () => {
    const datasetNo = nextDataset++
    const records: Records = new Map()
    await write(
      datasetNo,
      records,
      new Map([
        [1, [{ field: 0, tokens: ['hello', 'help', roleToken('hallo')] }]],
        [2, [{ field: 0, tokens: ['help', 'world', 'helo'] }]],
      ]),
    )
    const words = ['helo', 'wordl', 'zzz', 'x'].map((token) => ({ token, distance: token === 'zzz' ? 2 : 1 }))
    expect(await store.read(fuzzyTokens, { datasetNo, words })).toEqual([['helo', 'help', 'hello'], ['world'], [], []])
  })

  it('returns a broader tree and asks for a recheck if a phrase needs the text itself', () => {
    const tree = (q: string) => indexable(normalise(parseTextQuery(q)))
    expect(tree('"a b"').recheck).toBe(false)
    const sloppy = tree('"a b"~2 c')
    expect(sloppy.recheck).toBe(true)
    expect(JSON.stringify(sloppy.expr)).not.toContain('phrase')
    const records: Records = new Map([
      [1, [{ field: 0, tokens: ['a', 'x', 'b', 'c'] }]],
      [2, [{ field: 0, tokens: ['a', 'x', 'x', 'x', 'x', 'b', 'c'] }]],
      [3, [{ field: 0, tokens: ['c'] }]],
    ])
    for (const q of ['"a b"~2', 'c -"a b"~2', '-"a b"~2', 'x | -"a b"~2', '-(c -"a b"~2)']) {
      const wide = tree(q)
      for (const [, fields] of records) {
        const indexed = fields.map((one) => indexField({ ...one, texts: [] }))
        if (evaluate(parseTextQuery(q), indexed)) expect(evaluate(wide.expr, indexed) !== wide.negated).toBe(true)
      }
    }
  })
})
