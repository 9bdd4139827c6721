import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { User } from '@postil/contract/people/users.ts'
import type { QueueResult } from '@postil/contract/queue.ts'
import type { SearchResult } from '@postil/contract/search.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { importFile } from '#features/imports/store/job.ts'
import { importer, same, setUpImports, spec } from '#features/imports/testing/fixtures.ts'
import { readConfig } from '#platform/config/read-config.ts'
import { readIdentityConfig } from '#platform/identity/configuration.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { type ApiFixture, createApiFixture, must } from './testing/fixture.ts'

/* Known vulnerabilities of similar servers, by name. Browser behavior is tested in e2e/hostile and
   e2e/web/accounts/administration.e2e.ts. */
const idleServer = setUpImports()
let fixture: ApiFixture
beforeAll(async () => {
  fixture = await createApiFixture(idleServer.server, 'holes')
})

const run = '<script>fetch("/api/v1/me")</script><img src=x onerror="alert(1)">'

const refusals = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status)

test('stored XSS in record, label, template and settings: stored values come back as data that no browser treats as a document', async () => {
  const { owner, workspace } = fixture
  const settings = {
    type: 'label_selection',
    options: [run, `${run} 2`].map((value) => ({ value, text: value, description: run })),
  }
  const dataset = await idleServer.server.createDataset({
    workspace_id: workspace.id,
    name: 'holes of browsers',
    guidelines: run,
    fields: [
      { name: 'text', title: run, required: true, settings: { type: 'text', use_markdown: true } },
      { name: 'custom', title: run, settings: { type: 'custom', template: run, advanced_mode: true } },
    ],
    questions: [{ name: 'label', title: run, description: run, required: true, settings }],
  })
  const items = [{ fields: { text: run, custom: { a: run } }, metadata: { [run]: run }, external_id: run }]
  expect((await owner.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
  for (const path of ['', '/fields', '/questions', '/records?include=responses', '/queue-settings']) {
    const answer = await fetch(`${idleServer.server.url}/api/v1/datasets/${dataset.id}${path}`, {
      headers: { 'x-argilla-api-key': idleServer.server.owner.api_key, accept: 'text/html' },
    })
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'application/json'])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  }
})

describe('SVG and HTML files served from Postil’s origin', () => {
  test.each([
    ['an SVG', 'x.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['an HTML page', 'x.html', '<html><script>alert(1)</script></html>'],
    ['an HTML page named as a PNG', 'x.png', '<html><script>alert(1)</script></html>'],
    ['a script', 'x.js', 'alert(1)'],
  ])('%s can’t be uploaded as a file, and no URL serves one', async (_, name, content) => {
    const { upload } = importer(idleServer.server, await idleServer.server.createDataset(spec))
    const { dataset } = fixture.rich
    const { status, headers } = await upload(name, content)
    // The upload may succeed, because any text file can be imported as rows of text. The responses never have the content type
    // that the file's name claims.
    expect([201, 422]).toContain(status)
    expect(headers.get('content-type')).toBe('application/json')
    for (const ending of ['svg', 'html', 'js', 'xml', 'pdf']) {
      const file = await fixture.owner.get(`/datasets/${dataset.id}/files/${'a'.repeat(64)}.${ending}`)
      expect([ending, file.status >= 400]).toEqual([ending, true])
      expect(file.headers.get('content-type')).toBe('application/json')
    }
  })
})

describe('account takeover through stored settings', () => {
  const planted = { role: 'owner', password: 'taken over by us', api_key: 'taken.over', username: 'owner', active: true }
  it('no settings update changes a user, whatever keys it contains', async () => {
    const admin = fixture.as('adminIn')
    const { rich, users } = fixture
    const all = async () => (await fixture.owner.get<{ items: User[] }>('/users')).body.items
    const before = await all()
    const ids = {
      user_id: idleServer.server.owner.id,
      id: idleServer.server.owner.id,
      owner_id: users.adminIn.id,
      workspace_id: users.owner.id,
    }
    const bodies: readonly (readonly ['patch' | 'put' | 'post', string, object])[] = [
      ['patch', `/datasets/${rich.dataset.id}`, { guidelines: 'new' }],
      ['put', `/datasets/${rich.dataset.id}/queue-settings`, { max_per_person: 1000 }],
      ['post', `/me/datasets/${rich.dataset.id}/views`, { name: 'mine', query: 'status=pending' }],
      ...Object.values(rich.questions)
        .slice(0, 2)
        .map((id) => ['patch', `/questions/${id}`, { title: 't' }] as const),
      ...Object.values(rich.fields)
        .slice(0, 1)
        .map((id) => ['patch', `/fields/${id}`, { title: 't' }] as const),
      ...Object.values(rich.properties)
        .slice(0, 1)
        .map((id) => ['patch', `/metadata-properties/${id}`, { title: 't' }] as const),
    ]
    for (const [method, path, body] of bodies) {
      const { status } = await admin[method](path, { ...planted, ...ids, user: { ...planted, ...ids }, ...body })
      expect([path, status < 500]).toEqual([path, true])
    }
    expect(await all()).toEqual(before)
  })

  it('only an owner can change a user, including the user’s own account', async () => {
    for (const who of ['adminIn', 'annotatorIn'] as const) {
      for (const target of [idleServer.server.owner.id, fixture.users[who].id]) {
        expect((await fixture.as(who).patch(`/users/${target}`, planted)).status).toBe(403)
      }
    }
  })

  it('a saved view leads only to the annotation screen', async () => {
    const make = (query: string) =>
      fixture.as('annotatorIn').post(`/me/datasets/${fixture.rich.dataset.id}/views`, { name: query.slice(0, 20), query })
    const hostile = [
      'javascript:alert(1)',
      '//evil.example.org',
      'https://evil.example.org',
      'redirect=//evil',
      'status=pending&next=//evil',
      '../../x',
    ]
    for (const query of hostile) expect([query, (await make(query)).status >= 400]).toEqual([query, true])
  })
})

describe('ORM-style filter leaks', () => {
  const path = () => `/me/datasets/${fixture.rich.dataset.id}/records/search`
  const terms = (scope: object, ...values: unknown[]) => ({ filters: { and: [{ type: 'terms', scope, values }] } })
  const hidden = [
    'password_hash',
    'user__password_hash',
    'users.api_key_sealed',
    'updated_by__active_organization__active_users__password',
    '__proto__',
    'constructor',
    "name' OR 1=1 --",
    'records.metadata',
  ]

  it('filters and sorting reach only what the contract names', async () => {
    for (const name of hidden) {
      const scopes = [
        { entity: 'record', property: name },
        { entity: 'response', question: name },
        { entity: 'suggestion', question: name },
        { entity: 'metadata', metadata_property: name },
        { entity: name, property: 'id' },
        { entity: 'user', property: name },
      ]
      const answers = await Promise.all(
        scopes.flatMap((scope) => [
          fixture.as('annotatorIn').post(path(), terms(scope, 'a')),
          fixture.as('annotatorIn').post(path(), { sort: [{ scope, order: 'asc' }] }),
        ]),
      )
      expect([name, ...new Set(refusals(answers))]).toEqual([name, 422])
    }
  })

  it('hidden metadata doesn’t leak through filters, sorting or metrics', async () => {
    const property = `${fixture.word}-hidden`
    const scope = { entity: 'metadata', metadata_property: property }
    const annotator = fixture.as('annotatorIn')
    const sortBy = (order: string) => (by: object) => ({ sort: [{ scope: by, order }] })
    const guess = (value: string) => (by: object) => terms(by, value)
    // A correct guess, a wrong guess, both sort orders and a missing property all get the same answer.
    for (const bodyOf of [guess(`${fixture.word} private`), guess('wrong'), sortBy('asc'), sortBy('desc')]) {
      const answer = await annotator.post(path(), bodyOf(scope))
      const unknown = await annotator.post(path(), bodyOf({ ...scope, metadata_property: 'no-such-one' }))
      expect([answer.status, unknown.status]).toEqual([422, 422])
      expect(JSON.stringify(answer.body).replaceAll(property, '')).toBe(
        JSON.stringify(unknown.body).replaceAll('no-such-one', ''),
      )
      // For users who can see the property, the same body is an ordinary search.
      expect((await fixture.as('adminIn').post(path(), bodyOf(scope))).status).toBe(200)
    }
    const measured = await annotator.get(`/metadata-properties/${fixture.rich.properties[property]}/metrics`)
    expect([403, 404]).toContain(measured.status)
  })

  it('answers of others don’t leak: filters and sorting by answers use the caller’s own', async () => {
    const stars = { type: 'rating', options: [1, 2, 3].map((value) => ({ value })) }
    const dataset = await idleServer.server.createDataset({
      workspace_id: fixture.workspace.id,
      name: 'answers of others',
      questions: [{ name: 'stars', required: true, settings: stars }],
    })
    const { items } = (
      await fixture.owner.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, {
        items: Array.from({ length: 6 }, (_, i) => ({ fields: { text: `text ${i}` } })),
      })
    ).body
    const [colleague, stranger] = [idleServer.server.clientFor(fixture.colleague), fixture.as('annotatorIn')]
    const search = `/me/datasets/${dataset.id}/records/search`
    const ask = async (client: Client, body: object) => must(await client.post<SearchResult>(search, body))
    const filters = [
      terms({ entity: 'response', question: 'stars' }, 3),
      terms({ entity: 'response', property: 'status' }, 'submitted'),
    ]
    const sorts = ['asc', 'desc'].map((order) => ({ sort: [{ scope: { entity: 'response', question: 'stars' }, order }] }))
    const orders = async (client: Client) => {
      const found = await Promise.all(sorts.map((body) => ask(client, body)))
      return found.map((answer) => answer.items.map(({ record }) => record.id))
    }
    const before = await orders(stranger)
    for (const [i, value] of [3, 1, 3].entries()) {
      const answer = { status: 'submitted', values: { stars: { value } } }
      expect((await colleague.post(`/records/${items[i + 2]?.id}/responses`, answer)).status).toBe(201)
    }
    expect(await Promise.all(filters.map(async (body) => (await ask(colleague, body)).total))).toEqual([2, 3])
    for (const body of filters) expect(await ask(stranger, body)).toEqual({ items: [], total: 0 })
    // The colleague's own answers change the colleague's order, ascending and descending. They don't change anyone else's.
    const [up, down] = await orders(colleague)
    expect(up).not.toEqual(down)
    for (const order of before) expect([up, down]).not.toContainEqual(order)
    expect(await orders(stranger)).toEqual(before)
    for (const body of sorts) expect(JSON.stringify(await ask(stranger, body))).not.toContain(fixture.colleague.id)
  })
})

describe('queue flooding', () => {
  it('one person leases at most 100 records, however the requests are made', async () => {
    const dataset = await idleServer.server.createDataset({ workspace_id: fixture.workspace.id, name: 'flooded' })
    const items = Array.from({ length: 300 }, (_, i) => ({ fields: { text: `text ${i}` } }))
    expect((await fixture.owner.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
    const path = `/me/datasets/${dataset.id}/queue`
    const take = async (client: Client, exclude: readonly string[] = []) =>
      (await client.post<QueueResult>(path, { limit: 100, exclude })).body.items.map(({ record }) => record.id)
    const greedy = fixture.as('annotatorIn')
    const first = (await Promise.all(Array.from({ length: 6 }, () => take(greedy)))).flat()
    const second = await take(greedy, [...new Set(first)])
    const third = await take(greedy, [...new Set([...first, ...second])])
    expect(new Set([...first, ...second, ...third]).size).toBe(100)
    expect(await take(idleServer.server.clientFor(fixture.colleague))).toHaveLength(100)
  })

  it('a person with fifty jobs must wait, and other people’s jobs run in between', async () => {
    const { server } = idleServer
    const make = async (): Promise<TestUser> => server.createUser({ role: 'admin', workspaces: [fixture.workspace.id] })
    const [greedy, modest] = [await make(), await make()]
    const start = async (user: TestUser) => {
      const dataset = await server.createDataset({ ...spec, workspace_id: fixture.workspace.id })
      const { upload, start: begin } = importer(server, dataset, user)
      const { id } = (await upload('rows.csv', 'text\none')).body
      return begin(id, { fields: same('text') })
    }
    const started: Awaited<ReturnType<typeof start>>[] = []
    for (let i = 0; i < 51; i += 1) started.push(await start(greedy))
    expect(refusals(started.slice(0, 50)).every((status) => status < 300)).toBe(true)
    const refused = started.at(-1)
    expect([refused?.status, Number(refused?.headers.get('retry-after')) > 0]).toEqual([429, true])
    const own = (await start(modest)).body
    const { store } = server.app.ctx
    const taken = await store.write(takeJobs, { kinds: [importFile.kind], limit: 4, hold: 60_000_000 })
    expect(taken.map(({ id }) => id)).toContain(own.id)
    expect(taken.length).toBeLessThan(4)
  })
})

describe('unsafe YAML', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postil yaml '))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    ['a tag that runs a command', 'providers: !!python/object/apply:os.system ["id"]'],
    ['a tag that creates a function', 'providers: !!js/function "function(){ return 1 }"'],
    ['a custom tag', 'providers: !exec id'],
    [
      'aliases that expand exponentially',
      `a: &a [1,1,1,1,1,1,1,1]\n${'bcdefgh'.replace(/./g, (c) => `${c}: &${c} [*${String.fromCharCode(c.charCodeAt(0) - 1)},*${String.fromCharCode(c.charCodeAt(0) - 1)},*${String.fromCharCode(c.charCodeAt(0) - 1)}]\n`)}`,
    ],
    ['the key __proto__', '__proto__: {polluted: true}\nproviders: [{name: github}]'],
  ])('%s prevents the start and has no effect', async (_, yaml) => {
    const file = join(folder, 'oauth.yaml')
    await writeFile(file, yaml)
    const read = readConfig({ POSTIL_AUTH_OAUTH_CFG: file })
    if (!read.ok) throw new Error(read.problems.join())
    await expect(readIdentityConfig(read.config)).rejects.toThrow(/Cannot use the file/)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
