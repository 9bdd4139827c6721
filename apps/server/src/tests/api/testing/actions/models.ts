import type { ModelConnection } from '@postil/contract/model-connections.ts'
import type { ModelRun } from '@postil/contract/model-runs.ts'
import { type StandInModel, startStandInModel } from '@postil/testkit/stand-in-model.ts'
import { expect, vi } from 'vitest'
import { type ApiFixture, must } from '../fixture.ts'
import { once } from '../forms/rule.ts'
import { type Action, admins } from './action.ts'

/** Nothing listens at this address, and private addresses are refused. */
const connectionBody = { name: 'a model', base_url: 'http://127.0.0.1:9/v1', model: 'some-model', api_key: 'sk-of-the-tests' }

export const newConnection = async ({ owner, workspace }: ApiFixture, more: object = {}) =>
  must(await owner.post<ModelConnection>(`/workspaces/${workspace.id}/model-connections`, { ...connectionBody, ...more }))

/** Deletes all connections of the workspace, because it can have at most twenty. */
export const clearConnections = async ({ owner, workspace }: ApiFixture): Promise<void> => {
  const { items } = must(await owner.get<{ items: { id: string }[] }>(`/workspaces/${workspace.id}/model-connections`))
  for (const { id } of items) must(await owner.delete(`/model-connections/${id}`))
}

const inWorkspace = ({ workspace }: ApiFixture) => ({ workspace_id: workspace.id })
const ofConnection = (id: string, body?: object): Action => ({
  id,
  allowed: admins,
  missing: 'found first',
  request: async (fixture) => ({ params: { connection_id: (await newConnection(fixture)).id }, ...(body && { body }) }),
})

const runBody = async (fixture: ApiFixture) => {
  const { id } = await theConnection(fixture)
  return { connection_id: id, name: 'judge', questions: [`${fixture.word}-comment`] }
}
/** The workspace's model connection. Creates one if a test has deleted it. */
export const theConnection = async (fixture: ApiFixture): Promise<ModelConnection> => {
  const { items } = must(
    await fixture.owner.get<{ items: ModelConnection[] }>(`/workspaces/${fixture.workspace.id}/model-connections`),
  )
  return items[0] ?? newConnection(fixture)
}
const inRich = ({ rich }: ApiFixture) => ({ dataset_id: rich.dataset.id })

/** Stand-in models that don't keep the process running. The second one refuses every key, so that runs pause at once. */
const theModel = once(async () => startStandInModel({ isUnreferenced: true }))
const theStrictModel = once(async () => startStandInModel({ isUnreferenced: true, key: 'nobody has this' }))

const ended = ({ owner }: ApiFixture, { id }: Pick<ModelRun, 'id'>): Promise<ModelRun> =>
  vi.waitFor(async () => {
    const found = must(await owner.get<ModelRun>(`/model-runs/${id}`))
    expect(found.job?.status).toBe('finished')
    return found
  }, 30_000)

/**
 * Runs a model on one record and waits until the run ends. Then deletes the run's connection, because a workspace can have only
 * twenty connections.
 */
const runAt = async (fixture: ApiFixture, { url }: StandInModel): Promise<ModelRun> => {
  const { owner, rich, word, newRecord } = fixture
  const { id } = await newConnection(fixture, { base_url: url })
  await newRecord()
  const body = { connection_id: id, name: 'judge', questions: [`${word}-comment`], limit: 1 }
  const run = must(await owner.post<ModelRun>(`/datasets/${rich.dataset.id}/model-runs`, body))
  const found = await ended(fixture, run)
  must(await owner.delete(`/model-connections/${id}`))
  return found
}

/** A run that has paused before its first answer. */
export const endedRun = async (fixture: ApiFixture): Promise<ModelRun> => runAt(fixture, await theStrictModel(fixture))
const answeredRun = async (fixture: ApiFixture): Promise<ModelRun> => runAt(fixture, await theModel(fixture))
const publishedRun = async (fixture: ApiFixture): Promise<ModelRun> => {
  const { id } = await answeredRun(fixture)
  return ended(fixture, must(await fixture.owner.post<ModelRun>(`/model-runs/${id}/publish`)))
}
const ofRun = (id: string, run: (fixture: ApiFixture) => Promise<ModelRun>, body?: object): Action => ({
  id,
  allowed: admins,
  missing: 'found first',
  request: async (fixture) => ({ params: { run_id: (await run(fixture)).id }, ...(body && { body }) }),
})

const runActions: readonly Action[] = [
  { id: 'model_runs.list', allowed: admins, missing: 'found first', request: (fixture) => ({ params: inRich(fixture) }) },
  {
    id: 'model_runs.start',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => {
      await fixture.newRecord()
      return { params: inRich(fixture), body: { ...(await runBody(fixture)), limit: 1 } }
    },
  },
  {
    id: 'model_runs.preview',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({
      params: inRich(fixture),
      body: { ...(await runBody(fixture)), record_id: (await fixture.newRecord()).id },
    }),
  },
  ofRun('model_runs.get', endedRun),
  ofRun('model_runs.items', endedRun),
  ofRun('model_runs.alignment', endedRun),
  {
    ...ofRun('model_runs.disagreements', endedRun),
    request: async (fixture) => ({
      params: { run_id: (await endedRun(fixture)).id },
      query: { question: `${fixture.word}-comment` },
    }),
  },
  ofRun('model_runs.resume', endedRun, {}),
  ofRun('model_runs.publish', answeredRun),
  ofRun('model_runs.unpublish', publishedRun),
  ofRun('model_runs.delete', endedRun),
]

export const modelActions: readonly Action[] = [
  {
    id: 'model_connections.list',
    allowed: admins,
    missing: 'allowed first',
    request: (fixture) => ({ params: inWorkspace(fixture) }),
  },
  {
    id: 'model_connections.create',
    allowed: admins,
    missing: 'allowed first',
    request: (fixture) => ({ params: inWorkspace(fixture), body: connectionBody }),
  },
  ofConnection('model_connections.update', { model: 'another-model' }),
  ofConnection('model_connections.delete'),
  ofConnection('model_connections.check'),
  ...runActions,
]
