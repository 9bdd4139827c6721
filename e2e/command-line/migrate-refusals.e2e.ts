import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closedPort } from '@postil/testkit/closed-port.ts'
import { expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import { OWNER } from '../harness/server.ts'
import { startProxy } from './migrate/proxy.ts'
import { documentOf, migrateFrom, setUpSource } from './migrate/source.ts'

const { source, emptyTarget } = setUpSource(20)

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a selected dataset is copied with its users, and a dry run reports what it would copy', async () => {
  const target = await emptyTarget()
  const dry = await postil(target, migrateFrom(source.server.url, '--dry-run', '--json', '--dataset', 'elsewhere'))
  expect(documentOf(dry)).toMatchObject({
    code: 0,
    stderr: '',
    users: [{ username: 'ann', new: true }],
    workspaces: [{ name: 'elsewhere', new: true }],
    datasets: [{ name: 'elsewhere', records: 1, answers: 0, new: true }],
  })
  expect((await postil(target, ['users', 'list'])).stdout).not.toContain('ann')
  const part = await postil(target, migrateFrom(source.server.url, '--dataset', 'elsewhere', '--json'))
  expect(documentOf(part)).toMatchObject({ code: 0, equal: true, people: { users: { source: 1, here: 1 } } })
  expect((await postil(target, ['users', 'list'])).stdout).not.toContain('ben')
})

test('an address without its scheme is accepted, by the dry run too', async () => {
  const target = await emptyTarget()
  const typed = source.server.url.replace('http://', '')
  expect(await postil(target, migrateFrom(typed, '--dataset', 'elsewhere', '--dry-run'))).toMatchObject({ code: 0, stderr: '' })
  expect(documentOf(await postil(target, migrateFrom(typed, '--dataset', 'elsewhere', '--json')))).toMatchObject({
    code: 0,
    equal: true,
  })
})

test('names and types that only another server allows are renamed or refused with a message', async () => {
  const target = await emptyTarget()
  type Named = { items: { id: string; name: string; settings: { type: string } }[] }
  const renamed = await startProxy(source.server.url, {
    rewrite: (path, body) => {
      if (path !== '/api/v1/me/workspaces') return body
      return { items: (body as Named).items.map((one) => (one.name === 'elsewhere' ? { ...one, name: 'else where!' } : one)) }
    },
  })
  const done = await postil(target, migrateFrom(renamed.url, '--workspace', 'else where!'))
  await renamed.close()
  expect(done).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Workspace 'else where!' is renamed 'else_where_' here"),
  })
  expect((await postil(target, ['workspaces', 'list'])).stdout).toContain('else_where_')

  const strange = await startProxy(source.server.url, {
    rewrite: (path, body) => {
      if (path !== `/api/v1/datasets/${source.seeded.dataset.id}/questions`) return body
      return { items: (body as Named).items.map((one) => (one.name === 'stars' ? { ...one, settings: { type: 'stars' } } : one)) }
    },
  })
  const refused = await postil(target, migrateFrom(strange.url))
  await strange.close()
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("question 'stars' has the type 'stars', which this version"),
  })
})

test('failures are reported with a message that does not include the key', async () => {
  const target = await emptyTarget()
  const web = createServer((request, response) => {
    if (request.url?.startsWith('/away')) response.writeHead(302, { location: `${source.server.url}/api/v1/version` }).end()
    else if (request.url?.startsWith('/api/api/')) response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
  })
  const other = await listen(web)
  const gone = await closedPort()
  const { ann } = source.seeded.users
  for (const [args, code, reason] of [
    [['migrate-from', source.server.url], 2, '--api-key'],
    [['migrate-from', source.server.url, '--api-key', 'a.wrong.key'], 1, 'does not accept this API key (401)'],
    [['migrate-from', source.server.url, '--api-key', ann.api_key], 1, "belongs to 'ann', who has the role annotator"],
    [migrateFrom(other), 1, 'with JSON. It is not a compatible server'],
    [migrateFrom(`${other}/api`), 1, 'is not a compatible server'],
    [migrateFrom(`${other}/away`), 1, `redirects to ${source.server.url}, and the API key is not sent to another address`],
    [migrateFrom(`http://127.0.0.1:${gone.port}`), 1, ': connection refused'],
    [migrateFrom('ftp://example.org'), 1, 'is not a server URL'],
    [migrateFrom(source.server.url, '--dataset', 'nope'), 1, "no dataset 'nope'"],
  ] as const) {
    const result = await postil(target, args)
    expect([args, result.code, result.stderr]).toEqual([args, code, expect.stringContaining(reason)])
    expect(result.stderr).not.toContain(args[3] ?? OWNER.apiKey)
  }
  await gone.release()
  await new Promise((done) => web.close(done))
})
