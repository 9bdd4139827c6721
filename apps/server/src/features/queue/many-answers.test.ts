import type { TestServer } from '@postil/testkit/boot.ts'
import { detail } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Annotator, bootQueue, makeTeam, must } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

const RECORDS = 6500

detail('finds the remaining records for a user who answered thousands of records that are still pending', async () => {
  const { dataset, members } = await makeTeam(server, { records: 0, target: 2, members: 2 })
  const [ann, bob] = members as [Annotator, Annotator]
  const responses = [{ user_id: ann.user.id, status: 'submitted', values: { label: { value: 'yes' } } }]
  const free: string[] = []
  for (let made = 0; made < RECORDS; made += 500) {
    const items = Array.from({ length: 500 }, (_, i) => ({
      fields: { text: `text ${made + i}` },
      ...(i % 5 > 0 && { responses }),
    }))
    const path = `/datasets/${dataset}/records/bulk`
    const { body } = await server.clientFor(server.owner).post<{ items: { id: string }[] }>(path, { items })
    free.push(...body.items.filter((_, i) => i % 5 === 0).map(({ id }) => id))
  }
  expect(await ann.next(1)).toMatchObject({ ids: { length: 1 }, left: free.length })
  await ann.release()

  // Bob starts three more records. Ann gets them within a few requests, although they are only a few of many partially answered
  // records.
  const inProgress = free.slice(100, 103)
  for (const id of inProgress) await bob.answer(id)
  const shown = new Set<string>()
  for (let round = 0; round < 8; round += 1) {
    for (const id of (await ann.next(3)).ids) shown.add(id)
    await ann.release()
  }
  expect(inProgress.filter((id) => !shown.has(id))).toEqual([])

  const answered = new Set<string>()
  for (;;) {
    const { ids, left } = await ann.next(100)
    expect(left).toBe(free.length - answered.size)
    if (ids.length === 0) break
    for (const id of ids) answered.add(id)
    const items = ids.map((record_id) => ({ record_id, status: 'discarded' }))
    must(await ann.client.post('/me/responses/bulk', { items }))
  }
  expect([...answered].sort()).toEqual([...free].sort())
})
