import { hubPlan, hubSource } from '../hub.ts'
import { mapping } from '../imports.ts'
import { type Action, admins, allAdmins } from './action.ts'

export const hubActions: readonly Action[] = [
  {
    id: 'hub.import',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({
      params: { dataset_id: fixture.rich.dataset.id },
      body: { name: 'team/rows', subset: 'default', split: 'train', mapping: mapping(fixture) },
    }),
  },
  {
    id: 'hub.export',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ params: { dataset_id: fixture.rich.dataset.id }, body: { name: 'team/rows', token: 'hf_token' } }),
  },
  { id: 'hub.repository', allowed: allAdmins, request: () => ({ query: { name: hubSource.name } }) },
  { id: 'hub.preview', allowed: allAdmins, request: () => ({ query: hubSource }) },
  { id: 'hub.check', allowed: allAdmins, request: (fixture) => ({ body: hubPlan(fixture) }), echoes: true },
]
