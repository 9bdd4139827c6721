import type { Gold } from '@postil/contract/gold.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { lines } from './testing/fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const options = ['yes', 'no', 'maybe'].map((value) => ({ value, text: value }))
const questions = [
  { name: 'label', required: true, settings: { type: 'label_selection', options } },
  { name: 'tags', settings: { type: 'multi_label_selection', options } },
]

/** Records that three people can answer: one answer, three equal answers, a majority, a tie, and no answers. */
const createDataset = async () => {
  const { id, workspace_id } = await server.createDataset({ questions, distribution: { strategy: 'overlap', min_submitted: 3 } })
  const users: TestUser[] = []
  while (users.length < 3) users.push(await server.createUser({ workspaces: [workspace_id] }))
  const labels = [['yes'], ['yes', 'yes', 'yes'], ['no', 'yes', 'no'], ['no', 'yes', 'maybe'], []]
  const owner = server.clientFor(server.owner)
  const items = labels.map((given, i) => ({
    external_id: `r${i}`,
    fields: { text: 'text' },
    responses: given.map((value, j) => ({
      user_id: users[j]!.id,
      status: 'submitted',
      values: { label: { value }, ...(i === 1 && { tags: { value: j === 0 ? ['yes', 'no'] : ['no', 'yes'] } }) },
    })),
  }))
  const made = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items }))
  const file = async (query: string) =>
    lines(
      await (
        await fetch(`${server.url}/api/v1/datasets/${id}/records/download?${query}`, {
          headers: { 'X-Argilla-Api-Key': server.owner.api_key },
        })
      ).text(),
    )
  const review = async (i: number, value: string, final: boolean) =>
    must(
      await owner.put<Gold>(`/records/${made.items[i]?.id}/gold`, {
        mutation_id: crypto.randomUUID(),
        base_version: null,
        values: { label: { value, source: 'adjudicated' } },
        final,
      }),
    )
  return { users, file, review, ids: made.items.map((record) => record.id) }
}

it('downloads the reviewed answer, otherwise that of the majority, otherwise nothing', async () => {
  const { users, file, review } = await createDataset()
  const [ann] = users
  const computed = await file('format=jsonl&shape=final')
  const shown = (row: { [name: string]: unknown } | undefined) => [
    row?.['id'],
    row?.['final.label'],
    row?.['final.label.source'],
    row?.['final.label.user'],
  ]
  expect(computed.map(shown)).toEqual([
    ['r0', 'yes', 'single', ann?.username],
    ['r1', 'yes', 'unanimous', null],
    ['r2', 'no', 'majority', null],
  ])
  expect(computed[1]).toMatchObject({
    'final.tags': expect.arrayContaining(['yes', 'no']),
    'final.tags.source': 'unanimous',
    'label.agreement': 1,
  })
  expect(computed[0]).not.toHaveProperty('review.status')
  await review(2, 'yes', true)
  await review(3, 'maybe', true)
  await review(4, 'no', true)
  await review(1, 'no', false)
  const rows = await file('format=jsonl&shape=final')
  expect(rows.map((row) => [...shown(row), row['review.status']])).toEqual([
    ['r0', 'yes', 'single', ann?.username, null],
    ['r1', 'yes', 'unanimous', null, 'started'],
    ['r2', 'yes', 'adjudicated', 'owner', 'final'],
    ['r3', 'maybe', 'adjudicated', 'owner', 'final'],
    ['r4', 'no', 'adjudicated', 'owner', 'final'],
  ])
})

it('adds the reviewed answers to the table of all answers', async () => {
  const { file, review, users, ids } = await createDataset()
  expect((await file('format=jsonl'))[2]).not.toHaveProperty('label.gold')
  await review(2, 'yes', true)
  const [, , third, fourth] = await file('format=jsonl')
  expect(third).toMatchObject({
    'label.gold': 'yes',
    'label.gold.source': 'adjudicated',
    'label.gold.user': server.owner.id,
    'tags.gold': null,
    'review.status': 'final',
  })
  expect(fourth).toMatchObject({ 'label.gold': null, 'review.status': null })
  must(
    await server
      .clientFor(users[0]!)
      .post('/me/responses/bulk', { items: [{ record_id: ids[2], status: 'submitted', values: { label: { value: 'yes' } } }] }),
  )
  expect((await file('format=jsonl'))[2]).toMatchObject({ 'label.gold': 'yes', 'review.status': 'stale' })
})
