import type { ModelCheck, ModelConnection } from '@postil/contract/model-connections.ts'
import type { Workspace } from '@postil/contract/people/workspaces.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { closedPort } from '@postil/testkit/closed-port.ts'
import { type StandInModel, startStandInModel } from '@postil/testkit/stand-in-model.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readAll } from '../testing/stored-text.ts'

const KEY = 'sk-nobody-may-ever-see-this'
const logged: string[] = []
const log = pino({ level: 'trace', base: null }, { write: (line: string) => logged.push(line) })
let model: StandInModel
let server: TestServer
let workspace: Workspace
beforeAll(async () => {
  model = await startStandInModel({ key: KEY })
  server = await bootServer({
    log,
    env: { POSTIL_MODELS_ALLOW_PRIVATE: 'true', POSTIL_ACCESS_LOG: 'true', POSTIL_SLOW_MS: '1' },
  })
  workspace = await server.createWorkspace('models')
})
afterAll(async () => {
  await server.close()
  await model.close()
  // All requests in this file were logged at the most detailed level. If the server logged keys, the key would be in this log.
  expect(logged.some((line) => line.includes('model-connections'))).toBe(true)
  expect(logged.join('')).not.toContain(KEY)
})

const owner = () => server.clientFor(server.owner)
const create = async (more: object = {}, on = server) => {
  const body = { name: 'stand-in', base_url: model.url, model: 'small', api_key: KEY, ...more }
  const { status, body: created } = await on
    .clientFor(on.owner)
    .post<ModelConnection>(`/workspaces/${workspace.id}/model-connections`, body)
  expect(status).toBe(201)
  return created
}
const check = async ({ id }: ModelConnection) => (await owner().post<ModelCheck>(`/model-connections/${id}/check`)).body

it('tests a connection, and sends no headers about the server', async () => {
  const connection = await create()
  expect(connection).toMatchObject({ base_url: model.url, has_key: true, input_price: null, concurrency: 4 })
  expect(await check(connection)).toMatchObject({ answer: 'OK', reason: null, reason_parts: [] })
  const sent = model.asked.at(-1)
  expect(sent?.body.model).toBe('small')
  expect(Object.keys(sent?.headers ?? {}).filter((name) => /stainless|openai/.test(name))).toEqual([])
})

it('reports why there is no answer, without the key that the endpoint repeats', async () => {
  const other = `${KEY}-but-wrong`
  const wrong = await check(await create({ api_key: other }))
  expect(wrong).toMatchObject({ answer: null, reason_parts: [{ code: 'modelAnswered' }] })
  expect(JSON.stringify(wrong)).not.toContain(KEY)
  const unknown = await check(await create({ base_url: `${model.url}/nothing` }))
  expect(unknown.reason).toContain('404')
  const { port, release } = await closedPort()
  const closed = await check(await create({ base_url: `http://127.0.0.1:${port}/v1` }))
  expect(closed.reason).toBe(`127.0.0.1:${port} refused the connection`)
  await release()
})

it('never shows the key, and stores it encrypted', async () => {
  const connection = await create()
  await owner().patch(`/model-connections/${connection.id}`, { model: 'large' })
  const answers = await Promise.all([
    owner().get(`/workspaces/${workspace.id}/model-connections`),
    owner().get('/audit'),
    owner().delete(`/model-connections/${connection.id}`),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(JSON.stringify(answers)).not.toContain(KEY)
  const kept = await create()
  expect(await readAll(server)).toContain(kept.id)
  expect(await readAll(server)).not.toContain(KEY)
})

it('never sends the key of one address to another', async () => {
  const { id } = await create()
  const update = (body: object) => owner().patch<ModelConnection>(`/model-connections/${id}`, body)
  expect((await update({ base_url: 'https://elsewhere.test/v1' })).status).toBe(422)
  expect((await update({ base_url: 'https://elsewhere.test/v1', api_key: null })).body).toMatchObject({ has_key: false })
  expect((await update({ base_url: model.url, api_key: KEY })).body).toMatchObject({ has_key: true })
})

it('refuses private addresses unless they are allowed', async () => {
  const strict = await bootServer()
  try {
    workspace = await strict.createWorkspace('strict')
    const { id } = await create({}, strict)
    const before = model.asked.length
    const { body } = await strict.clientFor(strict.owner).post<ModelCheck>(`/model-connections/${id}/check`)
    expect(body).toMatchObject({ answer: null, reason: '127.0.0.1 is not a public address' })
    expect(model.asked).toHaveLength(before)
  } finally {
    await strict.close()
  }
})

it('is deleted with its workspace', async () => {
  workspace = await server.createWorkspace('short-lived')
  const { id } = await create()
  expect((await owner().delete(`/workspaces/${workspace.id}`)).status).toBe(200)
  expect((await owner().delete(`/model-connections/${id}`)).status).toBe(404)
})
