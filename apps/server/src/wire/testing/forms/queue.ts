import type { Stage } from '../stage.ts'
import { bool, type Form, int, list, nullable, required, uuid } from './rule.ts'

const inRich = ({ rich }: Stage) => ({ params: { dataset_id: rich.dataset.id } })
const writeOnly = { writeOnly: true } as const
const item = () => crypto.randomUUID()

export const queueForms: readonly Form[] = [
  {
    id: 'queue.take',
    good: (stage) => ({ ...inRich(stage), body: { limit: 1, exclude: [item()] } }),
    rules: [
      int('limit', writeOnly, { ge: 1, le: 100, good: 2 }),
      list('exclude', { ...nullable, ...writeOnly }, { max: 1000, item }),
      bool('drafts', writeOnly),
      uuid('exclude.0', { ...writeOnly, presence: 'unchecked' }),
    ],
  },
  {
    id: 'queue.renew',
    good: (stage) => ({ ...inRich(stage), body: { record_ids: [item()] } }),
    rules: [
      list('record_ids', { ...required, ...writeOnly }, { min: 1, max: 100, item }),
      uuid('record_ids.0', { ...writeOnly, presence: 'unchecked' }),
    ],
  },
]
