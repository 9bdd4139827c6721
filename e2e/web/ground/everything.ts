import type { RunningServer } from '../../harness/server.ts'
import { asOwner } from './given.ts'

const TEXT =
  'The committee met Angela Keller in Berlin on Monday. She spoke for Acme Corp about the evaluation of 12,480 records; the report follows in spring.'

const fields = [
  { name: 'text', title: 'Report', required: true, settings: { type: 'text', use_markdown: false } },
  { name: 'notes', title: 'Notes', required: false, settings: { type: 'text', use_markdown: true } },
  { name: 'talk', title: 'Talk', required: false, settings: { type: 'chat', use_markdown: false } },
  {
    name: 'card',
    title: 'Card',
    required: false,
    settings: { type: 'custom', template: '<b>{{record.fields.card.name}}</b>', advanced_mode: false },
  },
]

const options = (...texts: readonly string[]) => texts.map((text) => ({ value: text.toLowerCase(), text }))

const questions = [
  {
    name: 'tone',
    title: 'Tone',
    description: 'How it sounds',
    settings: { type: 'label_selection', options: options('Calm', 'Neutral', 'Angry') },
  },
  {
    name: 'topics',
    title: 'Topics',
    settings: {
      type: 'multi_label_selection',
      visible_options: 6,
      options: options('Finance', 'Politics', 'Science', 'Sports', 'Travel', 'Health', 'Law', 'Music', 'Food', 'Energy'),
    },
  },
  { name: 'quality', title: 'Quality', settings: { type: 'rating', options: [1, 2, 3, 4, 5].map((value) => ({ value })) } },
  { name: 'order', title: 'Order', settings: { type: 'ranking', options: options('First', 'Second', 'Third') } },
  {
    name: 'entities',
    title: 'Entities',
    settings: { type: 'span', field: 'text', allow_overlapping: true, options: options('Person', 'Place', 'Organisation') },
  },
  { name: 'summary', title: 'Summary', settings: { type: 'text', use_markdown: false } },
]

const record = (number: number) => ({
  fields: {
    text: `${TEXT} (${number})`,
    notes: '# Heading\n\nSome **bold** words and `code`.',
    talk: [
      { role: 'user', content: 'Is this about Berlin?' },
      { role: 'assistant', content: 'Yes, about a meeting there.' },
    ],
    card: { name: `Card ${number}` },
  },
  suggestions: [
    { name: 'tone', value: 'neutral', score: 0.8, agent: 'model-a' },
    { name: 'topics', value: ['finance', 'law'], score: [0.9, 0.4], agent: 'model-a' },
    { name: 'quality', value: 4, score: 0.7, agent: 'model-a' },
    {
      name: 'entities',
      agent: 'model-a',
      value: [
        { start: 18, end: 31, label: 'person' },
        { start: 35, end: 41, label: 'place' },
      ],
      score: [0.9, 0.6],
    },
  ],
})

/** A published dataset with every question type, nearly every field type, suggestions and guidelines. */
export const givenEverything = async (server: RunningServer, workspaceId: string, records: number): Promise<string> => {
  const { id } = await asOwner(server, 'POST', '/datasets', {
    name: 'everything',
    workspace_id: workspaceId,
    guidelines: '## What to do\n\nRead the report, then answer.',
  })
  for (const field of fields) await asOwner(server, 'POST', `/datasets/${id}/fields`, field)
  const ids = new Map<string, string>()
  for (const question of questions) {
    const made = await asOwner(server, 'POST', `/datasets/${id}/questions`, {
      required: question.name !== 'summary',
      ...question,
    })
    ids.set(question.name, made.id)
  }
  await asOwner(server, 'PUT', `/datasets/${id}/publish`)
  const items = Array.from({ length: records }, (_, index) => {
    const { suggestions, ...rest } = record(index + 1)
    return { ...rest, suggestions: suggestions.map(({ name, ...suggestion }) => ({ question_id: ids.get(name), ...suggestion })) }
  })
  await asOwner(server, 'POST', `/datasets/${id}/records/bulk`, { items })
  return id
}
