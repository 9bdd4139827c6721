import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { escaped, text, writtenWords } from '#platform/text/testing/texts.ts'
import { fold } from '#platform/text/tokens.ts'
import { addRecords, names, search, text as textQuery } from './testing/searching.ts'

let server: TestServer
let owner: Client
beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
})
afterAll(() => server.close())

const fields = ['a', 'b'].map((name) => ({ name, settings: { type: 'text' } }))
const record = fc.record({ a: text, b: text })

it('every text is found by each of its words, whose parts and beginnings are never found elsewhere', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 20, maxLength: 20 }), async (records) => {
      const dataset = await server.createDataset({ fields })
      await addRecords(
        owner,
        dataset,
        records.map((values, i) => ({ external_id: `record ${i}`, fields: values })),
      )
      const found = async (q: string) =>
        names(await search(owner, dataset, textQuery(q), { page: '?limit=100' })).map((name) => Number(name.split(' ')[1]))
      for (const [i, { a, b }] of records.entries()) {
        for (const word of [...writtenWords(a), ...writtenWords(b)]) {
          const whole = await found(escaped(word))
          expect(whole, JSON.stringify(word)).toContain(i)
          // A quoted word is a phrase, which must be in one field.
          expect(whole.sort()).toEqual((await found(`"${word.replace(/["\\]/g, '\\$&')}"`)).sort())
          const beginning = fold(word).slice(0, 2)
          if (!beginning.isWellFormed() || beginning.endsWith('*')) continue
          for (const other of await found(`${escaped(beginning)}*`)) {
            const { a: one, b: two } = records[other]!
            expect(`${fold(one)} ${fold(two)}`, JSON.stringify(beginning)).toContain(beginning)
          }
        }
      }
    }),
    { numRuns: 3 },
  )
}, 120_000)
