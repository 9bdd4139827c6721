import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Job, ListedJob } from '@postil/contract/jobs.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Response } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeJobs } from '#platform/jobs/operations.ts'
import { purgeDataset } from './purge-dataset.ts'

/** How long a claim on a job lasts, in microseconds. */
const HOLD = 60_000_000

let server: TestServer
let admin: TestUser
let [dataset, workspace] = ['', '']

beforeAll(async () => {
  // No background jobs run during the tests.
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
const listed = async (query = '') => must(await server.clientFor(server.owner).get<{ items: ListedJob[] }>(`/jobs${query}`)).items

const startImport = async (id = dataset): Promise<Job> => {
  const files = `/datasets/${id}/imports/files`
  const answer = await fetch(`${server.url}/api/v1${files}?name=rows.csv`, {
    method: 'POST',
    headers: { 'x-argilla-api-key': admin.api_key, 'content-type': 'text/csv' },
    body: 'text\nhello\n',
  })
  const { id: file } = (await answer.json()) as ImportFile
  const mapping = { fields: [{ source: 'text', target: 'text' }] }
  return must(await server.clientFor(admin).post<Job>(`${files}/${file}/start`, { mapping }))
}

it('lists the jobs of users and of the server, newest first', async () => {
  const gone = await server.createDataset({ workspace_id: workspace, name: 'gone' })
  must(await server.clientFor(server.owner).delete(`/datasets/${gone.id}`))
  const job = await startImport()
  const jobs = await listed()
  expect(jobs).toMatchObject([
    {
      ...job,
      kind: 'imports.file',
      subject: 'rows.csv',
      dataset: { id: dataset, name: 'letters' },
      dataset_name: 'letters',
      user: { id: admin.id, username: 'ada' },
      cancelable: true,
    },
    { kind: 'dataset.remove-files', subject: null, dataset: null, dataset_name: 'gone', user: null },
    { kind: 'dataset.purge', subject: null, dataset: null, dataset_name: 'gone', user: null, cancelable: false, reason: null },
  ])
  // Other arguments of a job are not exposed.
  expect(JSON.stringify(jobs)).not.toContain('mapping')
  expect(await listed('?status=failed')).toEqual([])
  must(await server.clientFor(server.owner).post(`/jobs/${job.id}/cancel`))
  expect(await listed('?status=canceled')).toMatchObject([{ id: job.id, status: 'canceled', cancelable: false }])
  expect((await listed('?status=queued')).map(({ kind }) => kind)).toEqual(['dataset.remove-files', 'dataset.purge'])
  expect((await server.clientFor(server.owner).get('/jobs?status=lost')).status).toBe(422)
})

it('lists each user’s own jobs for everyone', async () => {
  const ownJobs = async (user: TestUser) => must(await server.clientFor(user).get<{ items: ListedJob[] }>('/me/jobs')).items
  const annotator = await server.createUser({ role: 'annotator' })
  const job = await startImport()
  expect(await ownJobs(annotator)).toEqual([])
  expect((await ownJobs(admin))[0]).toMatchObject({ id: job.id, subject: 'rows.csv', user: { username: 'ada' } })
  const isMine = (await ownJobs(admin)).every(({ user }) => user?.id === admin.id)
  expect(isMine).toBe(true)
})

it('keeps the names of a deleted dataset and of its file', async () => {
  const { id } = await server.createDataset({ workspace_id: workspace, name: 'short-lived' })
  const job = await startImport(id)
  must(await server.clientFor(server.owner).delete(`/datasets/${id}`))
  const names = { subject: 'rows.csv', dataset: null, dataset_name: 'short-lived' }
  expect((await listed()).find((one) => one.id === job.id)).toMatchObject(names)
  const { store } = server.app.ctx
  const take = () => store.write(takeJobs, { kinds: [purgeDataset.kind], limit: 9, hold: HOLD })
  for (let work = await take(); work.length > 0; work = await take()) {
    for (const held of work) {
      const input = await purgeDataset.outsideWork?.prepare(server.app.ctx, held.id)
      await store.write(purgeDataset.step, { ...held, hold: HOLD, input })
    }
  }
  expect((await listed()).find((one) => one.id === job.id)).toMatchObject(names)
})

it('keeps jobs of deleted users', async () => {
  const job = await startImport()
  must(await server.clientFor(server.owner).delete(`/users/${admin.id}`))
  expect((await listed()).find(({ id }) => id === job.id)).toMatchObject({ user: null, cancelable: true })
})
