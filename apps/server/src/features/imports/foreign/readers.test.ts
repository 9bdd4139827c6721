import { expect, it } from 'vitest'
import { setUpImports } from '../testing/fixtures.ts'
import { importAsProposed } from '../testing/import-as-proposed.ts'

const fixture = setUpImports()
const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
const read = (name: string, content: string) => importAsProposed(fixture.server, name, content)
type Read = Awaited<ReturnType<typeof read>>
const proposals = ({ file }: Read) => file.columns.map(({ name, proposal }) => `${name}: ${proposal?.role} ${proposal?.type}`)

const person = (start: number, end: number, text: string) => [{ start, end, text, labels: ['PER'] }]
const minimal = [
  { text: 'Maria is here', source: 'mail', id: 1, label: person(0, 5, 'Maria'), mood: 'good', stars: 4, annotator: 1 },
  { text: 'Maria is here', source: 'mail', id: 1, mood: 'bad', stars: 2, annotator: 2 },
  { text: '😡 Tom', source: 'mail', id: 2, label: person(2, 5, 'Tom'), tags: { choices: ['a', 'b'] }, stars: 1, annotator: 1 },
].map((row, i) => ({ ...row, annotation_id: 100 + i, created_at: '2024-03-01T10:00:00Z', updated_at: '', lead_time: 1.5 }))

it('reads JSON-MIN and CSV exports of Label Studio: rows of one task become one record', async () => {
  const names = [...new Set(['text', 'source', 'id', 'label', 'mood', 'stars', 'tags', ...minimal.flatMap(Object.keys)])]
  const cell = (value: unknown) =>
    value === undefined ? '' : `"${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('"', '""')}"`
  const table = [
    names.join(','),
    ...minimal.map((row) => names.map((name) => cell(Object.entries(row).find(([key]) => key === name)?.[1])).join(',')),
  ]
  for (const [name, content] of [
    ['min.json', JSON.stringify(minimal)],
    ['min.csv', table.join('\n')],
  ] as const) {
    const imported = await read(name, content)
    expect([imported.file.recognized, imported.file.contents?.annotations]).toEqual([
      'label_studio_min',
      [
        { name: 'user 1', annotations: 2 },
        { name: 'user 2', annotations: 1 },
      ],
    ])
    expect(proposals(imported)).toEqual([
      'id: external_id null',
      'text: field text',
      'source: metadata terms',
      'label: suggestion span',
      'mood: suggestion label_selection',
      'stars: suggestion rating',
      'tags: suggestion multi_label_selection',
    ])
    expect(imported.job.import).toEqual({ rows: 3, created: 2, updated: 1, failed: 0 })
    expect(imported.records.map(({ external_id, found }) => [external_id, found])).toEqual([
      ['1', { label: [{ label: 'PER', start: 0, end: 5 }], mood: 'good', stars: 4 }],
      ['2', { label: [{ label: 'PER', start: 2, end: 5 }], tags: ['a', 'b'], stars: 1 }],
    ])
  }
})

it('reads conversations that ChatGPT exports along the current branch', async () => {
  const node = (
    id: string,
    parent: string | null,
    children: readonly string[],
    role?: string,
    parts: readonly unknown[] = [],
    more = {},
  ) => ({
    [id]: {
      id,
      parent,
      children,
      message: role ? { author: { role }, content: { content_type: 'text', parts }, ...more } : null,
    },
  })
  const tree = {
    ...node('root', null, ['system']),
    ...node('system', 'root', ['q'], 'system', ['']),
    ...node('q', 'system', ['a1', 'a2'], 'user', ['Why?']),
    ...node('a1', 'q', [], 'assistant', ['Old']),
    ...node('a2', 'q', ['hidden'], 'assistant', ['Because.', { content_type: 'image_asset_pointer' }]),
    ...node('hidden', 'a2', [], 'tool', ['secret'], { metadata: { is_visually_hidden_from_conversation: true } }),
  }
  const conversations = [
    {
      title: 'First',
      create_time: 1700000000.5,
      mapping: tree,
      conversation_id: 'c1',
      current_node: 'hidden',
      moderation_results: [1],
    },
    { title: 'Second', create_time: 1700000001, mapping: tree, conversation_id: 'c2' },
  ]
  const imported = await read('conversations.json', JSON.stringify(conversations))
  expect(imported.file.recognized).toBe('chatgpt')
  expect(imported.file.contents?.left_out).toEqual([
    { part: 'mapping: other branches', reason: 'further', rows: 2 },
    { part: 'moderation_results', reason: 'technical', rows: 1 },
  ])
  expect(imported.records.map(({ external_id, fields }) => [external_id, fields])).toEqual(
    ['c1', 'c2'].map((id) => [
      id,
      {
        conversation: [
          { role: 'user', content: 'Why?' },
          { role: 'assistant', content: 'Because.\n\n```json\n{\n  "content_type": "image_asset_pointer"\n}\n```' },
        ],
      },
    ]),
  )
  expect(imported.records[0]?.metadata).toMatchObject({ title: 'First', created_at: '2023-11-14T22:13:20.500Z' })
})

it('reads completions with ratings as a ranking and ratings', async () => {
  const completion = (model: string, helpfulness: string, honesty?: string) => ({
    model,
    response: `Answer of ${model}`,
    annotations: {
      helpfulness: { Rating: helpfulness, Rationale: 'why' },
      ...(honesty && { honesty: { Rating: honesty, Rationale: 'why' } }),
    },
  })
  const rows = [
    { instruction: 'One', completions: [completion('a', '2'), completion('b', '5'), completion('c', '2')], source: 'x' },
    { instruction: 'Two', completions: [completion('a', '4'), completion('b', '3')], source: 'y' },
  ]
  const imported = await read('uf.jsonl', lines(...rows))
  expect(imported.file.recognized).toBe('completions')
  expect(imported.records.map(({ found }) => found)).toEqual([
    {
      ranking: [
        { value: 'response_2', rank: 1 },
        { value: 'response_1', rank: 2 },
        { value: 'response_3', rank: 2 },
      ],
      response_1_helpfulness: 2,
      response_2_helpfulness: 5,
      response_3_helpfulness: 2,
    },
    {
      ranking: [
        { value: 'response_1', rank: 1 },
        { value: 'response_2', rank: 2 },
      ],
      response_1_helpfulness: 4,
      response_2_helpfulness: 3,
    },
  ])
  expect(imported.records[0]?.metadata).toMatchObject({ response_1_model: 'a', response_2_model: 'b' })
  expect(imported.file.contents?.left_out).toEqual([{ part: 'completions.annotations: texts', reason: 'unsupported', rows: 2 }])
  const several = await read(
    'uf.jsonl',
    lines({ instruction: 'One', completions: [completion('a', '2', '3'), completion('b', '5', '1')] }),
  )
  expect(several.records[0]?.found).toEqual({
    ranking: [
      { value: 'response_2', rank: 1 },
      { value: 'response_1', rank: 2 },
    ],
  })
  expect(several.records[0]?.metadata).toMatchObject({ response_1_helpfulness: 2, response_1_honesty: 3, response_2_honesty: 1 })
})

it('reads good and bad completions', async () => {
  const chat = (role: string, content: string) => [{ role, content }]
  const rows = [
    { prompt: chat('user', 'Hi'), completion: chat('assistant', 'Hello'), label: true },
    { prompt: chat('user', 'Hi'), completion: chat('assistant', 'No'), label: false },
  ]
  const imported = await read('kto.jsonl', lines(...rows))
  expect([imported.file.recognized, proposals(imported)]).toEqual([
    'kto',
    ['prompt: field chat', 'completion: field chat', 'label: suggestion label_selection'],
  ])
  expect(imported.records.map(({ found }) => found)).toEqual([{ label: 'true' }, { label: 'false' }])
})

it('reads items of Langfuse with scores of people and models', async () => {
  const score = (name: string, more: object) => ({ name, source: 'ANNOTATION', ...more })
  const rows = [
    {
      id: 'i1',
      input: { messages: [{ role: 'user', content: 'Hi' }] },
      expectedOutput: 'Hello',
      metadata: { topic: 'a' },
      sourceTraceId: 't1',
      scores: [
        score('quality', { value: 4, dataType: 'NUMERIC', authorUserId: 'ann', comment: 'fine' }),
        score('kind', { stringValue: 'greeting', dataType: 'CATEGORICAL', authorUserId: 'ann' }),
        score('toxic', { value: 0, dataType: 'BOOLEAN', source: 'EVAL' }),
      ],
    },
    {
      id: 'i2',
      input: { messages: [{ role: 'user', content: 'Bye' }] },
      expectedOutput: 'Bye',
      metadata: { topic: 'b' },
      sourceTraceId: 't2',
      scores: [
        score('quality', { value: 2, dataType: 'NUMERIC', authorUserId: 'ben' }),
        score('kind', { stringValue: 'farewell', dataType: 'CATEGORICAL', authorUserId: 'ben' }),
        score('toxic', { value: 1, dataType: 'BOOLEAN', source: 'EVAL' }),
      ],
    },
  ]
  const imported = await read('items.jsonl', lines(...rows))
  expect([imported.file.recognized, imported.file.contents?.annotators]).toEqual(['langfuse', 2])
  expect(imported.records.map(({ external_id, fields, found }) => [external_id, fields, found])).toEqual([
    [
      'i1',
      { input: [{ role: 'user', content: 'Hi' }], expected_output: 'Hello' },
      { quality: 4, kind: 'greeting', toxic: 'false' },
    ],
    [
      'i2',
      { input: [{ role: 'user', content: 'Bye' }], expected_output: 'Bye' },
      { quality: 2, kind: 'farewell', toxic: 'true' },
    ],
  ])
  expect(imported.file.contents?.left_out).toEqual([
    { part: 'sourceTraceId', reason: 'technical', rows: 2 },
    { part: 'comments', reason: 'unmapped', rows: 1 },
  ])
})

it('reads examples of Phoenix with annotations', async () => {
  const annotation = (name: string, label: string, kind: string, more: object = {}) => ({
    name,
    label,
    annotator_kind: kind,
    ...more,
  })
  const row = (id: string, question: string, label: string) => ({
    id,
    input: { question },
    output: { answer: `${question}!` },
    metadata: { lang: 'en' },
    annotations: [
      annotation('correctness', label, 'HUMAN', { user_id: 'ann', explanation: 'because' }),
      annotation('tone', 'kind', 'LLM', { score: 0.75 }),
      annotation('tone2', label, 'LLM'),
    ],
  })
  const imported = await read('examples.jsonl', lines(row('e1', 'Who', 'right'), row('e2', 'What', 'wrong')))
  expect([imported.file.recognized, imported.file.contents?.annotations]).toEqual([
    'phoenix',
    [{ name: 'ann', annotations: 2, comments: 2 }],
  ])
  expect(imported.records.map(({ fields, found }) => [fields, found])).toEqual([
    [
      { 'input.question': 'Who', 'output.answer': 'Who!' },
      { correctness: 'right', tone2: 'right' },
    ],
    [
      { 'input.question': 'What', 'output.answer': 'What!' },
      { correctness: 'wrong', tone2: 'wrong' },
    ],
  ])
  expect(imported.file.contents?.left_out).toEqual([{ part: 'comments', reason: 'unmapped', rows: 2 }])
})

it('makes one record of the rows of several annotators of a task of Prodigy', async () => {
  const row = (text: string, _task_hash: number, label: string, _annotator_id: string) => ({
    text,
    _task_hash,
    _input_hash: 1,
    label,
    _annotator_id,
    answer: 'accept',
  })
  const rows = [row('One', 10, 'a', 'set-ann'), row('One', 10, 'b', 'set-ben'), row('Two', -20, 'a', 'set-ann')]
  const imported = await read('several.jsonl', lines(...rows))
  expect(imported.job.import).toEqual({ rows: 3, created: 2, updated: 1, failed: 0 })
  expect(imported.records.map(({ external_id, found }) => [external_id, found])).toEqual([
    ['10', { label: 'a' }],
    ['-20', { label: 'a' }],
  ])
  expect(imported.file.contents?.annotations).toEqual([
    { name: 'set-ann', annotations: 2 },
    { name: 'set-ben', annotations: 1 },
  ])
})
