import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Job, ListedJob } from '@postil/contract/jobs.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Response } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: TestServer
let admin: TestUser
let [dataset, workspace] = ['', '']

beforeAll(async () => {
  // Nothing is carried out meanwhile.
  server = await bootServer({ background: { pollMs: 3_600_000 } })
  workspace = (await server.createWorkspace()).id
  admin = await server.createUser({ role: 'admin', username: 'ada', workspaces: [workspace] })
  dataset = (await server.createDataset({ workspace_id: workspace, name: 'letters' })).id
})
afterAll(() => server.close())

const must = <T>({ status, body }: Response<T>): T => {
  expect([status, status < 300 ? '' : body]).toEqual([status, ''])
  return body
}
const listed = async (query = '') => must(await server.as(server.owner).get<{ items: ListedJob[] }>(`/jobs${query}`)).items

const startImport = async (): Promise<Job> => {
  const files = `/datasets/${dataset}/imports/files`
  const answer = await fetch(`${server.url}/api/v1${files}?name=rows.csv`, {
    method: 'POST',
    headers: { 'x-argilla-api-key': admin.api_key, 'content-type': 'text/csv' },
    body: 'text\nhello\n',
  })
  const { id } = (await answer.json()) as ImportFile
  const mapping = { fields: [{ source: 'text', target: 'text' }] }
  return must(await server.as(admin).post<Job>(`${files}/${id}/start`, { mapping }))
}

it('lists what somebody started and what the server does for itself, newest first', async () => {
  const gone = await server.createDataset({ workspace_id: workspace })
  must(await server.as(server.owner).delete(`/datasets/${gone.id}`))
  const job = await startImport()
  const jobs = await listed()
  expect(jobs).toMatchObject([
    {
      ...job,
      kind: 'imports.file',
      subject: 'rows.csv',
      dataset: { id: dataset, name: 'letters' },
      user: { id: admin.id, username: 'ada' },
      cancelable: true,
    },
    { kind: 'dataset.remove-files', subject: null, dataset: null, user: null },
    { kind: 'dataset.purge', subject: null, dataset: null, user: null, cancelable: false, reason: null },
  ])
  // What a job knows beyond that is nobody's business.
  expect(JSON.stringify(jobs)).not.toContain('mapping')
  expect(await listed('?status=failed')).toEqual([])
  must(await server.as(server.owner).post(`/jobs/${job.id}/cancel`))
  expect(await listed('?status=canceled')).toMatchObject([{ id: job.id, status: 'canceled', cancelable: false }])
  expect((await listed('?status=queued')).map(({ kind }) => kind)).toEqual(['dataset.remove-files', 'dataset.purge'])
  expect((await server.as(server.owner).get('/jobs?status=lost')).status).toBe(422)
})

it('lists to everybody their own', async () => {
  const mine = async (user: TestUser) => must(await server.as(user).get<{ items: ListedJob[] }>('/me/jobs')).items
  const annotator = await server.createUser({ role: 'annotator' })
  const job = await startImport()
  expect(await mine(annotator)).toEqual([])
  expect((await mine(admin))[0]).toMatchObject({ id: job.id, subject: 'rows.csv', user: { username: 'ada' } })
  const isMine = (await mine(admin)).every(({ user }) => user?.id === admin.id)
  expect(isMine).toBe(true)
})

it('keeps jobs of those who are gone', async () => {
  const job = await startImport()
  must(await server.as(server.owner).delete(`/users/${admin.id}`))
  expect((await listed()).find(({ id }) => id === job.id)).toMatchObject({ user: null, cancelable: true })
})
