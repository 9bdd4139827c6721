import { clearConnections, newConnection } from '../actions/models.ts'
import type { Refusal } from './refusal.ts'

export const modelRefusals: readonly Refusal[] = [
  {
    id: 'model_connections.create',
    why: 'the workspace already has twenty',
    status: 422,
    sent: async (fixture) => {
      await clearConnections(fixture)
      for (let i = 0; i < 20; i += 1) await newConnection(fixture)
      const body = { name: 'one more', base_url: 'https://x.test/v1', model: 'some-model' }
      return { params: { workspace_id: fixture.workspace.id }, body }
    },
  },
  {
    id: 'model_connections.update',
    why: 'the stored key belongs to the earlier address',
    status: 422,
    sent: async (fixture) => {
      await clearConnections(fixture)
      const { id } = await newConnection(fixture)
      return { params: { connection_id: id }, body: { base_url: 'https://elsewhere.test/v1' } }
    },
  },
]
