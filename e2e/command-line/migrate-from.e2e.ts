import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import { isFullRun } from '@postil/testkit/run-size.ts'
import { expect, test } from 'vitest'
import { postil, startPostil } from '../harness/cli.ts'
import type { Place, RunningServer } from '../harness/server.ts'
import { OWNER, startServer } from '../harness/server.ts'
import { fetchEverything } from './migrate/fixtures.ts'
import { startProxy } from './migrate/proxy.ts'
import { documentOf, migrateFrom, setUpSource } from './migrate/source.ts'

const RECORDS = 900
const ANSWER = { why: { value: 'changed' } }

const { source, emptyTarget } = setUpSource(RECORDS)

const expectConsistent = async (place: Place): Promise<void> => {
  const { code, stdout } = await postil(place, ['doctor', '--json'])
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true }])
}
/** Runs a server with this data while the callback runs. */
const withServerOn = async <T>(place: Place, look: (client: Client, server: RunningServer) => Promise<T>): Promise<T> => {
  const server = await startServer({ place })
  try {
    return await look(createClient(server.url, { api_key: OWNER.apiKey }), server)
  } finally {
    await server.stop()
  }
}

test('all data, including IDs, times, keys and answers, is the same as on the source, and a second run changes nothing', async () => {
  const target = await emptyTarget()
  const first = await postil(target, migrateFrom(source.server.url, '--json'))
  const made = expect.stringContaining('New passwords for 4 users')
  expect(documentOf(first)).toMatchObject({
    code: 0,
    stderr: made,
    equal: true,
    left_out: [],
    made: { users: 4, records: RECORDS + 1 },
  })
  const expected = await fetchEverything(source.client)
  expect(await withServerOn(target, fetchEverything)).toEqual(expected)
  await expectConsistent(target)

  const again = await postil(target, migrateFrom(source.server.url, '--json'))
  const nothing = { equal: true, made: { users: 0, records: 0 }, changed: { records: 0 }, passwords_file: null }
  expect(documentOf(again)).toMatchObject({ code: 0, ...nothing })

  const file = join(target.dataDir, 'passwords-of-copied-users.jsonl')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { ann, ben } = source.seeded.users
  const passwords = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { username: string; password: string })
  expect(passwords.map(({ username }) => username).sort()).toEqual(['ann', 'ben ✓ with spaces', 'cy', 'owner'])
  expect(first.stdout + first.stderr).not.toContain(passwords[0]?.password)
  await withServerOn(target, async (_, { url }) => {
    expect(await fetchEverything(createClient(url, { api_key: OWNER.apiKey }))).toEqual(expected)
    expect((await createClient(url, { api_key: ann.api_key }).get('/me')).body).toMatchObject({ id: ann.id, username: 'ann' })
    const password = passwords.find(({ username }) => username === ben.username)?.password ?? ''
    const form = new URLSearchParams({ username: ben.username, password })
    expect((await fetch(`${url}/api/v1/token`, { method: 'POST', body: form })).status).toBe(201)
  })
})

detail('copied records, answers and suggestions can be used by their original IDs', async () => {
  const target = await emptyTarget()
  expect(await postil(target, migrateFrom(source.server.url, '--workspace', 'team'))).toMatchObject({
    code: 0,
    stderr: expect.any(String),
  })
  type Row = { id: string; responses: { id: string; user_id: string }[]; suggestions: { id: string }[] }
  await withServerOn(target, async (owner, { url }) => {
    const path = `/datasets/${source.seeded.dataset.id}/records?offset=1&limit=1&include=responses,suggestions`
    const [record] = (await owner.get<{ items: Row[] }>(path)).body.items
    const [suggestion] = record?.suggestions ?? []
    const mine = record?.responses.find(({ user_id }) => user_id === source.seeded.users.ann.id)
    const ann = createClient(url, { api_key: source.seeded.users.ann.api_key })
    expect((await owner.get<Row>(`/records/${record?.id}`)).body.id).toBe(record?.id)
    expect(await ann.put(`/responses/${mine?.id}`, { status: 'draft', values: ANSWER })).toMatchObject({
      status: 200,
      body: { id: mine?.id },
    })
    expect(
      await createClient(url, { api_key: source.seeded.users.cy.api_key }).post(`/records/${record?.id}/responses`, {
        status: 'draft',
        values: ANSWER,
      }),
    ).toMatchObject({ status: 201 })
    expect((await owner.delete(`/suggestions/${suggestion?.id}`)).status).toBe(200)
    expect((await owner.delete(`/records/${record?.id}`)).status).toBe(200)
    expect((await owner.get(`/records/${record?.id}`)).status).toBe(404)
  })
  await expectConsistent(target)
})

detail('an unreliable server of the published kind, under a path, is copied the same way and only read', async () => {
  const target = await emptyTarget()
  const proxy = await startProxy(source.server.url, {
    fault: (n) => (n % 7 === 0 ? 'too many' : n % 15 === 0 ? 'broken' : n % 16 === 0 ? 'cut off' : null),
  })
  const { code, stdout, stderr } = await postil(target, migrateFrom(`${proxy.url}/`))
  await proxy.close()
  expect([code, stdout]).toEqual([0, expect.stringContaining('The counts match on both servers.')])
  for (const reason of ['it answered 429; retrying in 0.0 s', 'it answered 500', 'closed without an answer'])
    expect(stderr).toContain(reason)
  expect(stdout + stderr).not.toContain(OWNER.apiKey)
  expect(new Set(proxy.requests().map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(await withServerOn(target, fetchEverything)).toEqual(await fetchEverything(source.client))
  await expectConsistent(target)
})

test('a killed migration continues when repeated, and loses or duplicates nothing', async () => {
  const target = await emptyTarget()
  const passwords = join(target.dataDir, 'passwords.jsonl')
  const people = startPostil(target, migrateFrom(source.server.url, '--passwords', passwords))
  const watch = setInterval(() => existsSync(passwords) && people.kill(), 2)
  await people.ended
  clearInterval(watch)
  for (const page of isFullRun ? [1, 2, 3, 4, 5] : [1, 3, 5]) {
    let asked = 0
    const proxy = await startProxy(source.server.url, {
      before: (_, path) => {
        // Pages are prefetched: while this page is requested, the previous one is being written.
        if (path.includes(source.seeded.dataset.id) && path.includes('&include=')) asked += 1
        if (asked === page) running.kill()
      },
    })
    const running = startPostil(target, migrateFrom(proxy.url, '--passwords', passwords))
    expect((await running.ended).code).not.toBe(0)
    expect(asked).toBe(page)
    await proxy.close()
  }
  const last = await postil(target, migrateFrom(source.server.url, '--passwords', passwords, '--json'))
  expect(documentOf(last)).toMatchObject({ code: 0, equal: true, left_out: [] })
  expect(await withServerOn(target, fetchEverything)).toEqual(await fetchEverything(source.client))
  await expectConsistent(target)
  const named = readFileSync(passwords, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { username: string }).username)
  expect(named.sort()).toEqual(['ann', 'ben ✓ with spaces', 'cy', 'owner'])
})

type Row = { id: string; external_id: string; metadata: object; responses: { id: string; user_id: string; status: string }[] }

detail('new source data follows with the next run, target changes stay, and the recount reports the differences', async () => {
  const target = await emptyTarget()
  const records = `/datasets/${source.seeded.dataset.id}/records`
  expect(await postil(target, migrateFrom(source.server.url))).toMatchObject({ code: 0, stderr: expect.any(String) })
  const recordAt = async (client: Client, external_id: string) => {
    const page = await client.get<{ items: Row[] }>(`${records}?limit=20&include=responses`)
    return page.body.items.find((one) => one.external_id === external_id)
  }
  const answerOf = (row: Row | undefined, { id }: { id: string }) => row?.responses.find(({ user_id }) => user_id === id)
  const { ann, ben } = source.seeded.users
  const before = await recordAt(source.client, 'r 1')
  const gone = await recordAt(source.client, 'r 3')
  const removed = answerOf(await recordAt(source.client, 'r 2'), ben)

  await withServerOn(target, async (here, { url }) => {
    const anns = createClient(url, { api_key: ann.api_key })
    const changed = await anns.put(`/responses/${answerOf(before, ann)?.id}`, { status: 'discarded', values: {} })
    expect(changed.status).toBe(200)
    expect((await here.delete(`/responses/${removed?.id}`)).status).toBe(200)

    expect((await here.delete(`/records/${gone?.id}`)).status).toBe(200)

    const content = { fields: { text: 'new there' }, responses: [{ user_id: ben.id, status: 'draft', values: {} }] }
    expect((await source.client.post(`${records}/bulk`, { items: [{ external_id: 'new', ...content }] })).status).toBe(201)
    const bens = createClient(source.server.url, { api_key: ben.api_key })
    const again = { status: 'discarded', values: { why: { value: 'second thoughts' } } }
    expect((await bens.put(`/responses/${answerOf(before, ben)?.id}`, again)).status).toBe(200)
    expect((await source.client.patch(`/records/${before?.id}`, { metadata: { lang: 'de' } })).status).toBe(200)
    expect((await source.client.patch(`/datasets/${source.seeded.dataset.id}`, { guidelines: 'New guidelines' })).status).toBe(
      200,
    )
    const property = { name: 'late', title: 'Late', settings: { type: 'terms', values: null } }
    expect((await source.client.post(`/datasets/${source.seeded.dataset.id}/metadata-properties`, property)).status).toBe(201)

    // The target server is running.
    const next = await postil(target, migrateFrom(source.server.url, '--json'))
    expect(documentOf(next)).toMatchObject({
      code: 1,
      equal: false,
      made: { users: 0, records: 1 },
      changed: { records: 1 },
      datasets: [{ equal: false }, { equal: true }, { equal: true }],
    })
    const lines = (await postil(target, migrateFrom(source.server.url))).stdout
      .split('\n')
      .filter((line) => line.includes('differs'))
    expect(lines).toEqual([
      expect.stringMatching(/Everything .*: records .*<- differs by -1$/),
      expect.stringMatching(/Everything .*: submitted .*<- differs by -3$/),
      expect.stringMatching(/Everything .*: discarded .*<- differs by 1$/),
      expect.stringMatching(/Everything .*: suggestions .*<- differs by -3$/),
      expect.stringMatching(/Everything .*: vectors .*<- differs by -1$/),
    ])

    const after = await recordAt(here, 'r 1')
    expect(answerOf(after, ann)?.status).toBe('discarded')
    expect(answerOf(after, ben)).toMatchObject({ id: answerOf(before, ben)?.id, ...again })
    expect(answerOf(await recordAt(here, 'r 2'), ben)).toBe(undefined)
    expect(after?.metadata).toEqual({ lang: 'de' })
    expect((await here.get(`/datasets/${source.seeded.dataset.id}`)).body).toMatchObject({ guidelines: 'New guidelines' })
  })
  await expectConsistent(target)
})

detail('existing people and workspaces match by name, and a dataset of the same name is refused at first', async () => {
  const target = await emptyTarget()
  await withServerOn(target, async (here) => {
    const team = (await here.post<{ id: string }>('/workspaces', { name: 'team' })).body.id
    const own = await here.post<{ id: string }>('/datasets', { name: 'not yet', workspace_id: team })
    const refused = await postil(target, migrateFrom(source.server.url))
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'not yet' in 'team' cannot be copied: workspace 'team' here already has a dataset"),
    })
    expect((await here.get<{ items: unknown[] }>('/users')).body.items).toHaveLength(1)
    await here.patch(`/datasets/${own.body.id}`, { name: 'mine' })

    const { code, stdout } = await postil(target, migrateFrom(source.server.url))
    expect([code, stdout]).toEqual([0, expect.stringContaining("User 'owner' already exists here")])
    expect(stdout).toContain("Workspace 'team' already exists here")
    const me = (await here.get<{ id: string }>('/me')).body.id
    const [row] = (
      await here.get<{ items: Row[] }>(`/datasets/${source.seeded.dataset.id}/records?offset=2&limit=1&include=responses`)
    ).body.items
    expect(row?.responses.map(({ user_id }) => user_id)).toContain(me)
    expect((await here.get(`/datasets/${source.seeded.draft.id}`)).body).toMatchObject({ workspace_id: team, status: 'draft' })
  })
  await expectConsistent(target)
})
