import type { Dataset } from '@postil/contract/datasets.ts'
import { foldAccents } from '@postil/contract/wire/fold-accents.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unfinishedTexts } from '#features/jobs/rebuild-text.ts'
import { recount } from '#features/records/service.ts'
import { evaluate, indexField, roleToken } from '#platform/text/evaluate.ts'
import { parseTextQuery } from '#platform/text/query.ts'
import { tokenize } from '#platform/text/tokens.ts'
import { addRecords, must, names, search, text as textQuery } from './testing/searching.ts'

let server: TestServer
let owner: Client
beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
})
afterAll(() => server.close())

const fields = [
  { name: 'text', settings: { type: 'text' } },
  { name: 'talk', settings: { type: 'chat' } },
]
const ignoreAccents = async ({ id }: Dataset, ignore_accents: boolean) =>
  must(await owner.put(`/datasets/${id}/search-settings`, { ignore_accents }))
/** Resolves when no text index is being rebuilt. */
const rebuilt = () =>
  expect.poll(() => server.app.ctx.store.read(unfinishedTexts, {}), { timeout: 60_000, interval: 100 }).toEqual([])

type Values = { readonly text: string; readonly talk: readonly { readonly role: string; readonly content: string }[] }

/**
 * Whether a record matches a query, determined without any index. If accents are ignored, they are removed from the texts and the
 * query first.
 */
const matches = (q: string, { text, talk }: Values, ignoresAccents: boolean): boolean => {
  const read = (one: string) => (ignoresAccents ? foldAccents(one) : one)
  const messages = talk.flatMap(({ role, content }) => [roleToken(read(role)), ...tokenize(read(content))])
  return evaluate(parseTextQuery(read(q)), [
    indexField({ field: 0, tokens: tokenize(read(text)), texts: [read(text)] }),
    indexField({ field: 1, tokens: messages, texts: talk.map(({ content }) => read(content)) }),
  ])
}

const LONG = 'éa'.repeat(150)
const word = fc.constantFrom(
  ...['café', 'cafe', 'CAFÉ', 'cafe\u0301s', 'naïve', 'naive', 'Fußball', 'fussball', 'Łódź', 'lodz', 'が', 'か', 'शक्ति'],
  ...['שָׁלוֹם', 'שלום', '東京', 'exämple.com', 'user@exämple.com', 'smörgås-bord', 'd’été', "d'ete", '1️⃣', LONG, foldAccents(LONG)],
)
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '))
const record = fc.record({
  text: words,
  talk: fc.array(fc.record({ role: fc.constantFrom('élève', 'Élève', 'eleve', 'user'), content: words }), { maxLength: 2 }),
})
const query = fc.oneof(
  word,
  words,
  words.map((list) => `"${list}"`),
  word.map((one) => `${one.slice(0, 3)}*`),
  word.map((one) => `-${one}`),
  word.map((one) => `${one}~1`),
  fc.tuple(word, word).map((pair) => pair.join(' | ')),
  fc.constantFrom('élève', 'Eleve', 'user@ex*', 'smorgas-*', '*'),
)

describe('a dataset that ignores accents', () => {
  detail(
    'finds what a comparison of all texts without accents finds, while and after its index is rebuilt',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(record, { minLength: 10, maxLength: 10 }),
          fc.array(record, { minLength: 5, maxLength: 5 }),
          fc.array(query, { minLength: 15, maxLength: 15 }),
          async (first, later, queries) => {
            const dataset = await server.createDataset({ fields })
            const stored = new Map<string, Values>()
            const add = async (items: readonly Values[]) => {
              const named = items.map((values, i) => ({ external_id: `${stored.size + i}`, fields: values }))
              const ids = await addRecords(owner, dataset, named)
              for (const { external_id, fields: values } of named) stored.set(external_id, values)
              return ids
            }
            const check = async (ignoresAccents: boolean) => {
              for (const q of queries) {
                const wanted = [...stored].filter(([, values]) => matches(q, values, ignoresAccents)).map(([name]) => name)
                const found = await search(owner, dataset, textQuery(q), { page: '?limit=100' })
                expect([q, names(found).sort(), found.total]).toEqual([q, wanted.sort(), wanted.length])
              }
            }
            const [deleted] = await add(first)
            await check(false)
            await ignoreAccents(dataset, true)
            await check(true)
            await add(later)
            await check(true)
            await rebuilt()
            await check(true)
            // Records that are changed or deleted leave no words behind.
            const changed = { external_id: '1', fields: first[2] }
            must(await owner.put(`/datasets/${dataset.id}/records/bulk`, { items: [changed] }))
            stored.set('1', first[2]!)
            must(await owner.delete(`/datasets/${dataset.id}/records?ids=${deleted}`))
            stored.delete('0')
            await check(true)
            expect(await recount(server.app.ctx)).toEqual([])
            await ignoreAccents(dataset, false)
            await check(false)
            await rebuilt()
            await check(false)
          },
        ),
        { numRuns: 4 },
      )
    },
    300_000,
  )

  it('ranks by the same words as a dataset whose texts have no accents', async () => {
    const texts = ['café café crème', 'un café', 'cafe noir et café au lait', 'thé', 'ca fe']
    const ranked = async (ignores: boolean, read: (one: string) => string) => {
      const dataset = await server.createDataset({ fields: fields.slice(0, 1) })
      await ignoreAccents(dataset, ignores)
      await addRecords(
        owner,
        dataset,
        texts.map((one, i) => ({ external_id: `${i}`, fields: { text: read(one) } })),
      )
      await rebuilt()
      const { items } = await search(owner, dataset, textQuery(read('café')))
      return items.map(({ record: { external_id }, query_score }) => [external_id, query_score])
    }
    expect(await ranked(true, (one) => one)).toEqual(await ranked(false, foldAccents))
  })

  it('is set by owners and admins of its workspace, and accents count by default', async () => {
    const dataset = await server.createDataset({ fields })
    const path = `/datasets/${dataset.id}/search-settings`
    expect((await owner.get(path)).body).toEqual({ ignore_accents: false })
    const annotator = server.clientFor(await server.createUser({ workspaces: [dataset.workspace_id] }))
    expect((await annotator.put(path, { ignore_accents: true })).status).toBe(403)
    expect((await annotator.get(path)).body).toEqual({ ignore_accents: false })
    expect((await owner.put(path, {})).status).toBe(422)
    expect(await ignoreAccents(dataset, true)).toEqual({ ignore_accents: true })
    expect((await annotator.get(path)).body).toEqual({ ignore_accents: true })
  })
})
