import type { ModelConnection } from '@postil/contract/model-connections.ts'
import { type ApiFixture, must } from '../fixture.ts'
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
]
