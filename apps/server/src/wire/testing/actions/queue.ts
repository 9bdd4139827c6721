import type { Stage } from '../stage.ts'
import { type Action, admins, members } from './action.ts'

const inRich = ({ rich }: Stage) => ({ params: { dataset_id: rich.dataset.id } })

export const queueActions: readonly Action[] = [
  { id: 'queue.settings', allowed: members, missing: 'found first', request: async (stage) => inRich(stage) },
  {
    id: 'queue.set_settings',
    allowed: admins,
    missing: 'found first',
    request: async (stage) => ({ ...inRich(stage), body: {} }),
  },
  {
    id: 'queue.take',
    allowed: members,
    missing: 'found first',
    request: async (stage) => {
      await stage.newRecord()
      return { ...inRich(stage), body: { limit: 2 } }
    },
  },
  {
    id: 'queue.renew',
    allowed: members,
    missing: 'found first',
    request: async (stage) => ({ ...inRich(stage), body: { record_ids: [(await stage.newRecord()).id] } }),
  },
  {
    id: 'queue.give_back',
    allowed: members,
    missing: 'found first',
    request: async (stage) => ({ ...inRich(stage), query: { ids: (await stage.newRecord()).id } }),
  },
]
