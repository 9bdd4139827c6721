import { detail } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Fixture } from '../testing/boot.ts'
import { bootFixture, must } from '../testing/boot.ts'

/* A bulk request's tokens arrive after its records. */

let fixture: Fixture
beforeAll(async () => {
  fixture = await bootFixture()
})
afterAll(() => fixture.close())

const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i * 7919}`).join(' ')
const item = (i: number, count: number): object => ({
  fields: {
    text: `needle${i} ${words(count)}`,
    ...(i % 3 === 0 && { note: null }),
    ...(i % 3 === 1 && { talk: [{ role: 'A role', content: 'common words' }] }),
  },
  ...(i % 5 === 0 && { responses: [{ user_id: fixture.ann.id, status: 'draft', values: {} }] }),
})
const found = async (text: string, field?: string) => {
  const body = { query: { text: { q: text, ...(field && { field }) } } }
  const path = `/me/datasets/${fixture.dataset}/records/search`
  return must(await fixture.server.clientFor(fixture.ann).post<{ total: number }>(path, body)).total
}

const sizes = [
  ['is small', 20, 400],
  ['is parsed outside the event loop', 200, 400],
  ['is so large that its tokens are sent along', 500, 1200],
] as const
it.each(sizes)('a large bulk request is indexed and counted correctly when it %s', async (_, size, count) => {
  const before = await found('common')
  const places = Array.from({ length: size }, (_, i) => i)
  const chats = places.filter((i) => i % 3 === 1).length
  must(await fixture.post(places.map((i) => item(i, count))))
  expect(await found(`needle${size - 1}`)).toBeGreaterThan(0)
  expect((await found('common')) - before).toBe(chats)
  expect(await fixture.differences()).toEqual([])
})

it('a large bulk request is counted correctly when a field type differs from the first type that accepts its value', async () => {
  const pictures = Array.from({ length: 300 }, (_, i) => ({
    fields: { text: `seen ${words(400)}`, picture: `https://pictures.example/${i}/${'a'.repeat(500)}.png` },
  }))
  must(await fixture.put(pictures))
  expect(await fixture.differences()).toEqual([])
})

detail('a large bulk request updates existing records and is counted correctly', async () => {
  const sent = (text: string) => Array.from({ length: 200 }, (_, i) => ({ external_id: `later ${i}`, fields: { text } }))
  must(await fixture.put(sent(`before ${words(400)}`)))
  must(await fixture.put(sent(`afterwards ${words(400)}`)))
  expect([await found('before'), await found('afterwards')]).toEqual([0, 200])
  expect(await fixture.differences()).toEqual([])
})
