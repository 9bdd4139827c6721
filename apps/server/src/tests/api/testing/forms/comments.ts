import { newComment } from '../actions/comments.ts'
import { bool, type Form, int, nullable, required, text, unchecked, uuid } from './rule.ts'

const onRecord = async ({ newRecord }: Parameters<Form['good']>[0]) => ({ record_id: (await newRecord()).id })

export const commentForms: readonly Form[] = [
  {
    id: 'comments.create',
    good: async (fixture) => ({ params: await onRecord(fixture), body: { text: 'Is this irony?' } }),
    rules: [
      text('text', required, { min: 1, max: 4000 }),
      // The server validates the body first. Only then does it check that the parent comment exists. Another test covers that
      // check
      { ...uuid('parent', nullable), accepted: [] },
    ],
  },
  {
    id: 'comments.create',
    good: async (fixture) => ({
      params: await onRecord(fixture),
      body: { text: 'Here', about: { span: { field: `${fixture.word}-text`, start: 0, end: 4 } } },
    }),
    rules: [
      int('about.span.start', { presence: 'unchecked', nullable: 'unchecked' }, { ge: 0, good: 1 }),
      int('about.span.end', { presence: 'unchecked', nullable: 'unchecked' }, { ge: 1, good: 5 }),
      { ...text('about.span.field', unchecked, { max: 500 }), accepted: [] },
    ],
  },
  {
    id: 'comments.update',
    good: async (fixture) => ({ params: await newComment(fixture, 'owner'), body: { text: 'Is this irony?' } }),
    rules: [text('text', nullable, { min: 1, max: 4000 }), bool('resolved', { ...nullable, writeOnly: true })],
  },
]
