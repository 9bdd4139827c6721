import type { History } from '@postil/contract/history.ts'
import { must } from '../fixture.ts'
import { type Form, int, nullable } from './rule.ts'

export const historyForms: readonly Form[] = [
  {
    id: 'history.restore',
    good: async ({ owner, newRecord }) => {
      const { id } = await newRecord()
      must(await owner.patch(`/records/${id}`, { metadata: {} }))
      const { items } = must(await owner.get<History>(`/records/${id}/history`))
      return { params: { record_id: id, change_id: items[0]?.id ?? '' }, body: {} }
    },
    rules: [int('base_version', { ...nullable, writeOnly: true }, { ge: 0, good: 2 })],
  },
]
