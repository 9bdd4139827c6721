import type { ApiFixture } from '../fixture.ts'
import { bool, type Form, list, nullable, oneOf, required, text, uuid, values } from './rule.ts'

const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })
const writeOnly = { writeOnly: true } as const
const uncheckedItem = { ...writeOnly, presence: 'unchecked' } as const
const item = () => crypto.randomUUID()
/** No record contains these words, so nothing is assigned. */
const search = { query: { text: { q: 'nothing has this word' } } }
// The server checks whether the people and records exist only after it has validated the body. Another test covers that check
const people = (name: string, rules: object) => [
  { ...list(name, { ...writeOnly, ...rules }, { min: 1, max: 100, item }), accepted: [] },
  { ...uuid(`${name}.0`, uncheckedItem), accepted: [] },
]

export const assignmentForms: readonly Form[] = [
  {
    id: 'assignments.assign',
    good: (fixture) => ({ ...inRich(fixture), body: { search, user_ids: [fixture.users.annotatorIn.id] } }),
    rules: [
      ...people('user_ids', required),
      oneOf('mode', writeOnly, ['split', 'all']),
      bool('replace', { ...nullable, ...writeOnly }),
      { ...text('due_at', { ...nullable, ...writeOnly }, { keep: false }), accepted: [] },
      values('search', { presence: 'unchecked', nullable: 'unchecked' }, 'model_attributes_type', []),
    ],
  },
  {
    id: 'assignments.unassign',
    good: (fixture) => ({ ...inRich(fixture), body: { search, user_ids: [fixture.users.annotatorIn.id] } }),
    rules: people('user_ids', nullable),
  },
  {
    id: 'assignments.move',
    good: (fixture) => ({ ...inRich(fixture), body: { from_user_id: fixture.users.annotatorIn.id, to_user_ids: [] } }),
    rules: [
      uuid('from_user_id', { ...required, ...writeOnly }),
      { ...list('to_user_ids', { ...required, ...writeOnly }, { max: 100, item }), accepted: [] },
    ],
  },
]
