import type { Dataset } from '@postil/contract/datasets.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addRecords, answerStatus, must, recordStatus, search } from '../testing/searching.ts'

const COUNT = 1200
let server: TestServer
let dataset: Dataset
let annotators: { readonly id: string; readonly client: Client }[]

const add = async (count: number, from: number) => {
  const items = Array.from({ length: count }, (_, i) => ({ fields: { text: `record ${from + i}` } }))
  for (let at = 0; at < count; at += 500) await addRecords(server.clientFor(server.owner), dataset, items.slice(at, at + 500))
}
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())
const setUp = async (shuffled: boolean) => {
  dataset = await server.createDataset({ distribution: { strategy: 'overlap', min_submitted: 2 } })
  must(await server.clientFor(server.owner).put(`/datasets/${dataset.id}/queue-settings`, { shuffled }))
  await add(COUNT, 0)
  annotators = await Promise.all(
    [0, 1].map(async () => {
      const user = await server.createUser({ workspaces: [dataset.workspace_id] })
      return { id: user.id, client: server.clientFor(user) }
    }),
  )
}

const pending = [answerStatus('pending'), recordStatus('pending')]
const ever = { type: 'range', scope: { entity: 'record', property: 'inserted_at' }, ge: '2000-01-01T00:00:00' }
const idsOf = ({ items, total }: Awaited<ReturnType<typeof search>>) => ({ ids: items.map(({ record }) => record.id), total })

/**
 * Returns a page of the queue, found in two ways: by walking the queue's index, and by a search. The search has one more
 * condition, which all records meet, because such a search never uses the walk.
 */
const bothWays = async (client: Client, page = '?limit=10') => {
  const found = async (filters: readonly object[]) =>
    idsOf(await search(client, dataset, { filters: { and: filters } }, { own: true, page }))
  return [await found(pending), await found([...pending, ever])] as const
}
const isSame = async (page?: string) => {
  for (const { client } of annotators) {
    const [walked, found] = await bothWays(client, page)
    expect(walked).toEqual(found)
    expect(walked.ids.length).toBeGreaterThan(0)
  }
}
const answer = async ({ client }: (typeof annotators)[number], record: string, status = 'submitted') =>
  must(await client.post<{ id: string }>(`/records/${record}/responses`, { status, values: { label: { value: 'yes' } } })).id

it.each([
  ['an individual order', true],
  ['insertion order', false],
])('continues where work is left, and returns to reopened records, in %s', async (_, shuffled) => {
  await setUp(shuffled)
  const [ada, ben] = annotators as [(typeof annotators)[0], (typeof annotators)[0]]
  await isSame()
  const [{ ids: first }] = await bothWays(ada.client, '?limit=40')
  const answers: string[] = []
  for (const id of first) answers.push(await answer(ada, id))
  await isSame()

  // Deleting an answer makes its record the next one.
  must(await ada.client.delete(`/responses/${answers[3]}`))
  expect((await bothWays(ada.client))[0].ids[0]).toBe(first[3])
  await isSame()

  // Two answers complete the record, then the second is withdrawn. The record is open for a third user, but not for users who
  // have already answered it.
  const late = await answer(ben, first[0] as string)
  await isSame()
  must(await ben.client.put(`/responses/${late}`, { status: 'draft', values: {} }))
  await isSame()
  must(await ben.client.delete(`/responses/${late}`))
  await isSame()

  // New records can get any position in the order.
  await answer(ada, first[3] as string)
  await isSame('?limit=25&offset=7')
  await add(300, COUNT)
  await isSame()
  must(
    await server.clientFor(server.owner).delete(`/datasets/${dataset.id}/records?ids=${(await bothWays(ada.client))[0].ids[0]}`),
  )
  await isSame()
})
