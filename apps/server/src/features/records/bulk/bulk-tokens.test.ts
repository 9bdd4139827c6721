import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ground } from '../testing/boot.ts'
import { bootGround, must } from '../testing/boot.ts'

/* The tokens of a bulk come after its records. */

let ground: Ground
beforeAll(async () => {
  ground = await bootGround()
})
afterAll(() => ground.close())

const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i * 7919}`).join(' ')
const item = (i: number, count: number): object => ({
  fields: {
    text: `needle${i} ${words(count)}`,
    ...(i % 3 === 0 && { note: null }),
    ...(i % 3 === 1 && { talk: [{ role: 'A role', content: 'common words' }] }),
  },
  ...(i % 5 === 0 && { responses: [{ user_id: ground.ann.id, status: 'draft', values: {} }] }),
})
const found = async (text: string, field?: string) => {
  const body = { query: { text: { q: text, ...(field && { field }) } } }
  const path = `/me/datasets/${ground.dataset}/records/search`
  return must(await ground.server.as(ground.ann).post<{ total: number }>(path, body)).total
}

const sizes = [
  ['is small', 20, 400],
  ['is read beside the event loop', 200, 400],
  ['is so large that they come with it', 500, 1200],
] as const
it.each(sizes)('is found and counted right where it %s', async (_, size, count) => {
  const before = await found('common')
  const places = Array.from({ length: size }, (_, i) => i)
  const chats = places.filter((i) => i % 3 === 1).length
  must(await ground.post(places.map((i) => item(i, count))))
  expect(await found(`needle${size - 1}`)).toBeGreaterThan(0)
  expect((await found('common')) - before).toBe(chats)
  expect(await ground.differences()).toEqual([])
})

it('is counted right where a field is of another type than the first that takes its value', async () => {
  const pictures = Array.from({ length: 300 }, (_, i) => ({
    fields: { text: `seen ${words(400)}`, picture: `https://pictures.example/${i}/${'a'.repeat(500)}.png` },
  }))
  must(await ground.put(pictures))
  expect(await ground.differences()).toEqual([])
})

it('changes what is there, and is counted right', async () => {
  const sent = (text: string) => Array.from({ length: 200 }, (_, i) => ({ external_id: `later ${i}`, fields: { text } }))
  must(await ground.put(sent(`before ${words(400)}`)))
  must(await ground.put(sent(`afterwards ${words(400)}`)))
  expect([await found('before'), await found('afterwards')]).toEqual([0, 200])
  expect(await ground.differences()).toEqual([])
})
