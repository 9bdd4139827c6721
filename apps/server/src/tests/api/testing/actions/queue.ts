import type { ApiFixture } from '../fixture.ts'
import { type Action, admins, members } from './action.ts'

const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })

export const queueActions: readonly Action[] = [
  { id: 'queue.settings', allowed: members, missing: 'found first', request: async (fixture) => inRich(fixture) },
  {
    id: 'queue.set_settings',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...inRich(fixture), body: {} }),
  },
  {
    id: 'queue.take',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => {
      await fixture.newRecord()
      return { ...inRich(fixture), body: { limit: 2 } }
    },
  },
  {
    id: 'queue.renew',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => ({ ...inRich(fixture), body: { record_ids: [(await fixture.newRecord()).id] } }),
  },
  {
    id: 'queue.give_back',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => ({ ...inRich(fixture), query: { ids: (await fixture.newRecord()).id } }),
  },
]
