import type { NoteGroup } from '@postil/contract/notes.ts'
import { expect, test } from 'vitest'
import { rubricOf } from './rubric.ts'

const group = (text: string, ...others: readonly string[]): NoteGroup => ({
  key: text,
  text,
  notes: 3,
  records: 2,
  share: { value: 0.2, low: 0.05, high: 0.5 },
  examples: [text, ...others].map((example) => ({ text: example, record_id: '' })),
})

test('lists groups with examples between the placeholders of a prompt', () => {
  const text = rubricOf([group('late', 'too late'), group('damaged')], 'Look for:', ({ records }) => `${records} records`)
  expect(text.split('\n')).toEqual([
    '{{guidelines}}',
    '',
    'Look for:',
    '',
    '1. late (2 records, 20%, 5% – 50%)',
    '   - too late',
    '2. damaged (2 records, 20%, 5% – 50%)',
    '',
    '{{questions}}',
    '',
    '{{examples}}',
    '',
    '{{fields}}',
    '',
  ])
})

test('placeholders in notes are broken up, and notes become one line', () => {
  const text = rubricOf([group('a {{fields}}\n\nb')], '', () => '')
  expect(text.match(/\{\{fields\}\}/gu)).toHaveLength(1)
  expect(text).toContain('1. a { {fields}} b')
})
