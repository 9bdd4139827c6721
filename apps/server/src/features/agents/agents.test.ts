import type { Gold } from '@postil/contract/gold.ts'
import type { Record } from '@postil/contract/records.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { createReviewTeam } from '#features/review/testing/review-team.ts'
import { connect, type McpTeam, type Outcome, toolCalls } from './testing/mcp-client.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer({ delivery: null })
})
afterAll(async () => {
  expect(await recount(server.app.ctx)).toEqual([])
  await server.close()
})

const createTeam = async (): Promise<McpTeam> => {
  const team = await createReviewTeam(server, 3)
  const { workspace_id: workspace } = team
  await team.answers(0, 'yes', 'no')
  const member = (role: 'admin' | 'annotator') => server.createUser({ role, workspaces: [workspace] })
  const [admin, agent, reviewer] = [await member('admin'), await member('admin'), await member('annotator')]
  must(await team.owner.patch(`/users/${agent.id}`, { agent: true }))
  must(await team.owner.put(`${team.path}/review-settings`, { mode: 'disagreements', reviewers: [reviewer.id] }))
  const stranger = await server.createUser({ role: 'admin' })
  return { ...team, people: { owner: server.owner, admin, agent, reviewer, annotator: team.cyd, stranger } }
}

const withTool = async (team: McpTeam, who: keyof McpTeam['people'], tool: string, args: object): Promise<Outcome> => {
  const client = await connect(server.url, team.people[who])
  try {
    return await client.call(tool, args)
  } finally {
    await client.close()
  }
}

describe('the tools', () => {
  it('are listed with their schemas and hints', async () => {
    const client = await connect(server.url, server.owner)
    const tools = await client.list()
    const writes = ['add_comment', 'add_suggestions', 'propose_final_answers']
    expect(tools.map(({ name }) => name).sort()).toEqual(toolCalls.map(({ tool }) => tool).sort())
    for (const { name, title, description, annotations, inputSchema } of tools) {
      expect([name, title, description].every((text) => text !== undefined && text !== '')).toBe(true)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(annotations).toMatchObject({
        readOnlyHint: !writes.includes(name),
        destructiveHint: false,
        idempotentHint: name !== 'add_comment',
      })
    }
    await client.close()
  })

  test.each(toolCalls)('$tool has the permissions and errors of the API', async ({ tool, args, allowed, api }) => {
    for (const who of ['owner', 'admin', 'agent', 'reviewer', 'annotator', 'stranger'] as const) {
      const team = await createTeam()
      const wanted = allowed.includes(who)
      const outcome = await withTool(team, who, tool, args(team))
      expect([who, outcome.isError], outcome.text).toEqual([who, !wanted])
      if (wanted) {
        expect(JSON.parse(outcome.text)).toEqual(outcome.result)
        continue
      }
      const { body } = await api(team, team.as(team.people[who]))
      const { detail } = body as { detail: string | { params: { detail: string } } }
      expect(outcome.text).toContain(typeof detail === 'string' ? detail : detail.params.detail)
    }
  })

  it('return what the API returns', async () => {
    const team = await createTeam()
    const { owner, path, ids } = team
    const call = (tool: string, args: object) => withTool(team, 'owner', tool, args).then(({ result }) => result)
    const record_id = ids[0]
    const dataset_id = team.dataset
    expect(await call('get_record', { record_id })).toEqual(must(await owner.get(`/records/${record_id}`)))
    expect(await call('get_progress', { dataset_id })).toEqual(must(await owner.get(`${path}/progress`)))
    const agreement = must(await owner.get<{ questions: unknown }>(`${path}/agreement`))
    expect(await call('get_agreement', { dataset_id })).toMatchObject({ questions: agreement.questions })
    expect(await call('compare_answers', { record_id })).toEqual(must(await owner.get(`/records/${record_id}/comparison`)))
    expect(await call('get_dataset', { dataset_id })).toMatchObject({
      dataset: must(await owner.get(path)),
      fields: must(await owner.get<{ items: unknown[] }>(`${path}/fields`)).items,
      questions: must(await owner.get<{ items: unknown[] }>(`${path}/questions`)).items,
    })
    const pending = { type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending'] }
    const search = { dataset_id, text: 'text', filters: [pending], limit: 1, offset: 1, include: ['responses'] }
    expect(await call('search_records', search)).toMatchObject({
      items: [{ record: { id: ids[2], responses: [] } }],
      total: 2,
    })
    const listed = (await call('list_datasets', { limit: 1 })) as { items: unknown[]; total: number }
    expect([listed.items.length, listed.total > 1]).toEqual([1, true])
  })

  it('suggest answers in one call, and report those that cannot be stored', async () => {
    const team = await createTeam()
    const { dataset: dataset_id, ids, owner } = team
    const label = { question: 'label', value: 'yes' }
    const suggestions = [
      { record_id: ids[0], ...label, score: 0.75 },
      { record_id: ids[1], ...label, value: 'maybe' },
      { record_id: crypto.randomUUID(), ...label },
      { record_id: ids[2], ...label, question: 'nothing' },
    ]
    const { result, isError } = await withTool(team, 'agent', 'add_suggestions', { dataset_id, suggestions })
    expect([result, isError]).toMatchObject([
      {
        stored: 1,
        errors: [
          { index: 1, record_id: ids[1], error: expect.stringContaining('maybe') },
          { index: 2, error: expect.stringContaining('not found') },
          { index: 3, error: 'Question `nothing` not found in the dataset' },
        ],
      },
      false,
    ])
    const record = must(await owner.get<Record>(`/records/${ids[0]}`))
    expect(record.suggestions).toMatchObject([{ value: 'yes', score: 0.75, type: 'model', agent: team.people.agent.username }])
    const none = await withTool(team, 'agent', 'add_suggestions', { dataset_id, suggestions: suggestions.slice(3) })
    expect(none).toMatchObject({ isError: true, result: { stored: 0 } })
  })

  it('propose final answers that a reviewer confirms, and repeat nothing', async () => {
    const team = await createTeam()
    const { ids, people, owner } = team
    const propose = (value: string, who: 'agent' | 'reviewer' | 'owner' = 'agent') =>
      withTool(team, who, 'propose_final_answers', {
        record_id: ids[0],
        values: { label: value },
        note: 'Irony',
      })
    const versionOf = ({ result }: Outcome) => (result as Gold).version
    expect((await propose('yes')).result).toMatchObject({
      final: false,
      values: { label: { value: 'yes', note: 'Irony', by: { username: people.agent.username } } },
    })
    expect(versionOf(await propose('yes'))).toBe(1)
    expect(versionOf(await propose('no'))).toBe(2)
    expect(versionOf(await propose('yes'))).toBe(3)
    expect((await propose('maybe')).text).toContain('maybe')
    const others = 'has final answers that the agent has not proposed'
    expect(await propose('no', 'reviewer')).toMatchObject({ isError: true, text: expect.stringContaining(others) })
    expect(must(await team.put(0, { base_version: 3 }, people.reviewer)).final).toBe(true)
    for (const who of ['agent', 'reviewer', 'owner'] as const)
      expect(await propose('no', who)).toMatchObject({ isError: true, text: expect.stringContaining(others) })
    expect(must(await owner.get<{ gold: Gold }>(`/records/${ids[0]}/comparison`)).gold.final).toBe(true)
  })

  it('change no answers, no matter who uses them', async () => {
    const team = await createTeam()
    const answers = async () => {
      const found = await Promise.all(team.ids.map((id) => team.owner.get<Record>(`/records/${id}`)))
      return found.map((one) => must(one).responses)
    }
    const before = await answers()
    for (const who of ['owner', 'agent', 'annotator'] as const)
      for (const { tool, args } of toolCalls) await withTool(team, who, tool, args(team))
    expect(await answers()).toEqual(before)
  })
})

describe('the audit log', () => {
  it('names the tools that changed something, and no others', async () => {
    const team = await createTeam()
    for (const { tool, args } of toolCalls) await withTool(team, 'agent', tool, args(team))
    const { id, username } = team.people.agent
    const { items } = must(await team.owner.get<{ items: object[] }>(`/audit?actor_id=${id}`))
    const by = { actor: { id, name: username }, address: '127.0.0.1' }
    expect(items).toMatchObject([
      { ...by, action: 'agents.propose_final_answers', target: { id: team.ids[0] }, details: { questions: 1 } },
      { ...by, action: 'agents.add_comment', target: { id: team.ids[0] } },
      { ...by, action: 'agents.add_suggestions', target: { id: team.dataset }, details: { suggestions: 1 } },
    ])
  })

  it('has no entry for a change that was refused', async () => {
    const team = await createTeam()
    const { id } = team.people.annotator
    await withTool(team, 'annotator', 'propose_final_answers', { record_id: team.ids[0], values: { label: 'yes' } })
    expect(must(await team.owner.get<{ items: object[] }>(`/audit?actor_id=${id}`)).items).toEqual([])
  })
})

describe('wrong input', () => {
  test.each<readonly [tool: string, args: object, text: string]>([
    ['get_record', {}, 'record_id: Field required'],
    ['get_record', { record_id: 'x' }, 'record_id: Input should be a valid UUID'],
    ['list_datasets', { limit: 101 }, 'limit: Input should be less than or equal to 100'],
    ['list_datasets', { offset: -1 }, 'offset: Input should be greater than or equal to 0'],
    ['list_datasets', { page: 2 }, 'page'],
    ['add_suggestions', { dataset_id: crypto.randomUUID(), suggestions: [] }, 'suggestions: List should have at least 1 item'],
    ['add_comment', { record_id: crypto.randomUUID(), text: '' }, 'text: String should have at least 1 character'],
  ])('of %s %j is explained', async (tool, args, text) => {
    const client = await connect(server.url, server.owner)
    expect(await client.call(tool, args)).toMatchObject({ isError: true, text: expect.stringContaining(text) })
    await client.close()
  })

  it('also means unknown tools, and results that are too large', async () => {
    const client = await connect(server.url, server.owner)
    await expect(client.call('submit_answer', {})).rejects.toThrow('There is no tool submit_answer')
    const { id: dataset_id } = await server.createDataset()
    const items = Array.from({ length: 50 }, () => ({ fields: { text: 'x'.repeat(100_000) } }))
    must(await server.clientFor(server.owner).post(`/datasets/${dataset_id}/records/bulk`, { items }))
    const search = (limit: number) => client.call('search_records', { dataset_id, limit })
    expect(await search(50)).toMatchObject({ isError: true, text: expect.stringContaining('Request fewer records') })
    expect((await search(10)).isError).toBe(false)
    await client.close()
  })
})

describe('the address', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const send = (
    user: TestUser | null,
    headers: { readonly [name: string]: string } = {},
    body: unknown = list,
    method = 'POST',
  ) =>
    fetch(`${server.url}/mcp`, {
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(user && { authorization: `Bearer ${user.api_key}` }),
        ...headers,
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
  const statusOf = async (...args: Parameters<typeof send>) => (await send(...args)).status

  it('accepts API keys in both headers, and no other credentials', async () => {
    const { username, password, api_key } = await server.createUser()
    const user = { api_key } as TestUser
    expect(await statusOf(user)).toBe(200)
    expect(await statusOf(null, { 'x-argilla-api-key': api_key })).toBe(200)
    expect(await statusOf(null)).toBe(401)
    expect(await statusOf(null, { authorization: 'Bearer wrong' })).toBe(401)
    const form = new URLSearchParams({ username, password })
    const { access_token } = (await (await fetch(`${server.url}/api/v1/token`, { method: 'POST', body: form })).json()) as {
      access_token: string
    }
    expect(await statusOf(null, { authorization: `Bearer ${access_token}` })).toBe(401)
    const ownPage = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
    const session = await server.clientFor(null).post('/session', { username, password }, ownPage)
    const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await server.clientFor(null).get('/me', { cookie })).status).toBe(200)
    expect(await statusOf(null, { ...ownPage, cookie })).toBe(401)
    must(
      await server
        .clientFor(server.owner)
        .patch(`/users/${session.body && (session.body as { user: TestUser }).user.id}`, { active: false }),
    )
    expect(await statusOf(user)).toBe(401)
  })

  it('refuses pages of other origins, and other hosts', async () => {
    expect(await statusOf(server.owner, { origin: 'https://evil.example' })).toBe(403)
    expect(await statusOf(server.owner, { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await statusOf(server.owner, { origin: server.url })).toBe(200)
  })

  it('has no streams, sessions or batches', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await send(server.owner, {}, undefined, method)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
    expect(await statusOf(server.owner, {}, [list, list])).toBe(422)
    expect(await statusOf(server.owner, {}, { jsonrpc: '2.0' })).toBe(400)
    expect(await statusOf(server.owner, { accept: 'text/html' })).toBe(406)
    expect(await statusOf(server.owner, { 'content-type': 'text/plain' })).toBe(422)
    expect(await statusOf(server.owner, { 'mcp-protocol-version': '1999-01-01' })).toBe(400)
    const notified = await send(server.owner, {}, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([notified.status, await notified.text()]).toEqual([202, ''])
  })

  it('is not in the API documentation, and well-known documents do not exist', async () => {
    const { body } = await server.clientFor(null).get<{ paths: object }>('/openapi.json')
    expect(Object.keys(body.paths).filter((path) => path.includes('mcp'))).toEqual([])
    expect((await fetch(`${server.url}/.well-known/oauth-protected-resource`)).status).toBe(404)
  })

  it('counts calls against the rate limit', async () => {
    const limited = await bootServer({ env: { POSTIL_REQUESTS_PER_MINUTE: '20' }, delivery: null })
    const client = await connect(limited.url, await limited.createUser())
    const calls = async () => {
      for (let i = 0; i < 30; i++) await client.call('list_datasets', {})
    }
    await expect(calls()).rejects.toThrow('Too many requests within a minute')
    await client.close()
    await limited.close()
  })

  it('works below a path prefix', async () => {
    const prefixed = await bootServer({ env: { POSTIL_BASE_URL: '/annotate/' }, delivery: null })
    const client = await connect(prefixed.url, prefixed.owner)
    expect((await client.call('list_datasets', {})).result).toEqual({ items: [], total: 0 })
    await client.close()
    await prefixed.close()
  })
})
