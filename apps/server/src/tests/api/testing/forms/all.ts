import type { History } from '@postil/contract/history.ts'
import { suggestionVisibilities } from '@postil/contract/suggestion-settings.ts'
import { noteLabel } from '../actions/notes.ts'
import { clearSnapshots, newSnapshot } from '../actions/snapshots.ts'
import type { ApiFixture } from '../fixture.ts'
import { must } from '../fixture.ts'
import { idIn } from '../refusals/refusal.ts'
import { assignmentForms } from './assignments.ts'
import { commentForms } from './comments.ts'
import { hubForms } from './hub.ts'
import { importForms } from './imports.ts'
import { modelForms } from './models.ts'
import { questionForms } from './questions.ts'
import { queueForms } from './queue.ts'
import { recordDeletionForms } from './record-deletions.ts'
import { answerForms, inRich, recordForms, wrongValues } from './records.ts'
import { datasetForms, fieldForms, peopleForms, propertyForms, vectorForms } from './resources.ts'
import { reviewForms } from './review.ts'
import {
  bool,
  type Form,
  float,
  int,
  list,
  nullable,
  object,
  oneOf,
  optional,
  required,
  text,
  unchecked,
  values,
} from './rule.ts'
import { savedViewForms } from './saved-views.ts'
import { schemaVersionForms } from './schema-versions.ts'
import { searchForms } from './search.ts'
import { traceForms } from './traces.ts'
import { webhookForms } from './webhooks.ts'

const historyForms: readonly Form[] = [
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

const searchSettingsForms: readonly Form[] = [
  {
    id: 'search_settings.set',
    good: ({ rich }) => ({ params: { dataset_id: rich.dataset.id }, body: { ignore_accents: false } }),
    rules: [bool('ignore_accents', required)],
  },
]

const activeTimeForms: readonly Form[] = [
  {
    id: 'active_time_settings.set',
    good: ({ rich }) => ({ params: { dataset_id: rich.dataset.id }, body: { shown_to_leads: false } }),
    rules: [bool('shown_to_leads', required)],
  },
]

const suggestionSettingsForms: readonly Form[] = [
  {
    id: 'suggestion_settings.set',
    good: ({ rich }) => ({ params: { dataset_id: rich.dataset.id }, body: { show: 'always', blind_share: 0 } }),
    rules: [oneOf('show', optional, [...suggestionVisibilities]), float('blind_share', optional, { ge: 0, le: 1, good: 0.25 })],
  },
]

const colourForms: readonly Form[] = [
  {
    id: 'label_colours.update',
    good: ({ rich, word }) => ({
      params: { question_id: idIn(rich.questions, `${word}-label`) },
      body: { colours: [{ value: `${word}-a`, hue: 200 }] },
    }),
    rules: [
      list('colours', required, { item: () => ({}) }),
      values('colours', required, 'list_type', [
        [
          [
            { value: 'a', hue: 1 },
            { value: 'a', hue: 2 },
          ],
          'value_error',
        ],
      ]),
      text('colours.0.value', required, {}),
      int('colours.0.hue', required, { ge: 0, le: 359, good: 12 }),
    ],
  },
]

const writeOnly = { writeOnly: true } as const
// Other forms test everything that a search accepts.
const good = (fixture: ApiFixture) => ({
  ...inRich(fixture),
  body: {
    search: { query: { text: { q: 'nothing has this word' } } },
    status: 'draft',
    values: {},
    own_questions: [],
    skip_suggestions: [],
  },
})

const bulkAnswerForms: readonly Form[] = [
  {
    id: 'bulk_answers.start',
    good,
    rules: [
      object('search', { ...required, ...writeOnly }),
      oneOf('status', { ...required, ...writeOnly }, ['draft', 'submitted', 'discarded']),
      values('values', { ...nullable, ...writeOnly }, 'dict_type', wrongValues),
      int('limit', { ...nullable, ...writeOnly }, { ge: 1, good: 2 }),
      { ...list('own_questions', { ...nullable, ...writeOnly }, { max: 1000, item: String }), accepted: [] },
      values('own_questions', unchecked, 'list_type', [[[7], 'string_type', 0]]),
      { ...list('skip_suggestions', { ...nullable, ...writeOnly }, { max: 1000, item: String }), accepted: [] },
    ],
  },
]

const noteForms: readonly Form[] = [
  {
    id: 'notes.label',
    good: async (fixture) => {
      const { params, body } = await noteLabel(fixture)
      return { params, body: { ...body, status: 'draft' } }
    },
    rules: [
      // Only the values of the valid request are accepted, because there are no other questions, groups or labels.
      { ...text('question', { ...required, ...writeOnly }, { min: 1, keep: false }), accepted: [] },
      { ...list('groups', { ...required, ...writeOnly }, { min: 1, max: 100, item: String }), accepted: [] },
      { ...text('label.question', { ...required, ...writeOnly }, { min: 1, keep: false }), accepted: [] },
      { ...text('label.value', { ...required, ...writeOnly }, { min: 1 }), accepted: [] },
      oneOf('status', { ...optional, ...writeOnly }, ['draft', 'submitted']),
    ],
  },
]

const snapshotForms: readonly Form[] = [
  {
    id: 'snapshots.create',
    good: async (fixture) => {
      await clearSnapshots(fixture)
      return { ...inRich(fixture), body: { name: 'a snapshot' } }
    },
    rules: [text('name', required, { min: 1, max: 200 })],
  },
  {
    id: 'snapshots.rename',
    good: async (fixture) => {
      await clearSnapshots(fixture)
      return { ...(await newSnapshot(fixture)), body: { name: 'a snapshot' } }
    },
    rules: [text('name', required, { min: 1, max: 200 })],
  },
]

/** The bodies of all routes that take JSON. */
export const forms: readonly Form[] = [
  ...peopleForms,
  ...datasetForms,
  ...fieldForms,
  ...questionForms,
  ...schemaVersionForms,
  ...searchSettingsForms,
  ...activeTimeForms,
  ...suggestionSettingsForms,
  ...colourForms,
  ...propertyForms,
  ...vectorForms,
  ...recordForms,
  ...answerForms,
  ...bulkAnswerForms,
  ...noteForms,
  ...snapshotForms,
  ...searchForms,
  ...historyForms,
  ...savedViewForms,
  ...queueForms,
  ...reviewForms,
  ...commentForms,
  ...assignmentForms,
  ...recordDeletionForms,
  ...traceForms,
  ...webhookForms,
  ...modelForms,
  ...importForms,
  ...hubForms,
]
