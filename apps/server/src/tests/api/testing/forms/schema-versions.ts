import { labelsOfDraft, planOfDraft } from '../actions/schema-versions.ts'
import { type Form, int, list, nullable, once, required, text, unchecked, values } from './rule.ts'

const writeOnly = { writeOnly: true } as const
const labels = once(labelsOfDraft)

export const schemaVersionForms: readonly Form[] = [
  {
    id: 'schema_versions.plan',
    good: async (fixture) => {
      const { params, changes } = await labels(fixture)
      return { params, body: { changes } }
    },
    rules: [
      { ...list('changes', { ...required, ...writeOnly }, { min: 1, max: 500, item: () => ({}) }), accepted: [] },
      values('changes', unchecked, 'list_type', [
        [[{ type: 'other' }], 'union_tag_invalid', 0],
        [[{}], 'union_tag_not_found', 0],
      ]),
    ],
  },
  {
    id: 'schema_versions.apply',
    good: async (fixture) => {
      const { params, token } = await planOfDraft(fixture)
      return { params, body: { token, note: 'Merge what annotators confuse.' } }
    },
    rules: [
      // The server checks whether a token belongs to a plan only after it has validated the body. Another test covers that check
      { ...text('token', { ...required, ...writeOnly }, { keep: false }), accepted: [] },
      text('note', nullable, { max: 2000 }),
    ],
  },
  {
    id: 'schema_versions.see',
    good: ({ rich }) => ({ params: { dataset_id: rich.dataset.id }, body: { version: 0 } }),
    rules: [int('version', { ...required, ...writeOnly }, { ge: 0, good: 0 })],
  },
]
