import { afterAll, beforeAll, expect, it } from 'vitest'
import { datasetNoOf } from '#platform/ids.ts'
import type { ResponsesServer } from '../testing/boot.ts'
import { bootWithTool } from '../testing/boot.ts'
import { damage } from '../testing/operations.ts'
import { recountResponses } from './recount.ts'

let server: ResponsesServer
beforeAll(async () => {
  server = await bootWithTool()
})
afterAll(() => server.close())

it.each([
  ['status', ['records.status']],
  ['submitted', ['records.submitted']],
  ['counter', ['dataset_counts']],
  ['user', ['user_counts']],
  ['term', ['response_terms']],
  ['author', ['dataset_users']],
  ['agreement', ['agreement_numbers']],
] as const)('finds a wrong %s', async (what, found) => {
  const dataset = await server.createDataset()
  const [answered, ...others] = await server.addRecords(dataset.id, 3)
  const dataset_no = datasetNoOf(answered as string)
  const body = { status: 'submitted', values: { label: { value: 'no' } } }
  const ann = await server.createUser({ workspaces: [dataset.workspace_id] })
  for (const user of [server.owner, ann]) await server.clientFor(user).post(`/records/${answered}/responses`, body)
  const differences = () => server.app.ctx.store.read(recountResponses, { dataset_no })
  expect(await differences()).toEqual([])
  await server.tool.write(damage, { dataset_no, what })
  const wrong = await differences()
  expect([...new Set(wrong.map((one) => one.what))]).toEqual(found)
  if (what === 'status') expect(wrong.map(({ key }) => key).sort()).toEqual([...others].sort())
})
