import { expect, it } from 'vitest'
import { setUpImports } from '../testing/fixtures.ts'
import { importAsProposed } from '../testing/import-as-proposed.ts'

const fixture = setUpImports()
const read = (name: string, content: string) => importAsProposed(fixture.server, name, content)
const cell = (value: unknown) => `"${JSON.stringify(value ?? '').replaceAll('"', '""')}"`
/** A table as Langfuse writes it: every cell is JSON. */
const langfuseTable = (rows: readonly { readonly [key: string]: unknown }[]) => {
  const header = Object.keys(rows[0] ?? {})
  return [header.join(','), ...rows.map((row) => header.map((name) => cell(row[name])).join(','))].join('\n')
}

const trace = (id: string, question: string, kind: string | null, quality: number) => ({
  id,
  timestamp: '2024-05-01T10:00:00.000Z',
  name: 'chat',
  userId: 'u1',
  sessionId: 's1',
  release: null,
  version: null,
  environment: 'default',
  tags: ['web'],
  bookmarked: false,
  public: false,
  input: { messages: [{ role: 'user', content: question }] },
  output: 'An answer',
  metadata: { language: 'en' },
  comments: [{ id: `c-${id}`, content: `About ${id}`, author_user_id: 'ann', created_at: '2024-05-02T10:00:00.000Z' }],
  quality: [quality],
  kind: kind === null ? null : [kind],
})
const traces = [
  trace('t1', 'Hi', 'greeting', 0.5),
  trace('t2', 'Bye', 'farewell', 1),
  trace('t3', 'Hello', 'greeting', 0.25),
  trace('t4', 'Why?', null, 0.75),
]

it.each([
  ['JSON', 'traces.json', JSON.stringify(traces)],
  ['JSON Lines', 'traces.jsonl', traces.map((row) => JSON.stringify(row)).join('\n')],
  ['CSV', 'traces.csv', langfuseTable(traces)],
])('reads batch exports of traces of Langfuse as %s, with a column for each score', async (_, name, content) => {
  const { file, records } = await read(name, content)
  expect([file.recognized, file.contents?.annotations]).toEqual(['langfuse', [{ name: 'ann', annotations: 0, comments: 4 }]])
  expect(file.columns.map((column) => [column.name, column.proposal?.role, column.proposal?.type])).toEqual(
    expect.arrayContaining([
      ['id', 'external_id', null],
      ['input', 'field', 'chat'],
      ['output', 'field', 'text'],
      ['kind', 'suggestion', 'label_selection'],
      ['quality', 'metadata', 'float'],
      ['language', 'metadata', 'terms'],
    ]),
  )
  expect(file.contents?.left_out).toEqual(
    expect.arrayContaining([
      { part: 'comments', reason: 'unmapped', rows: 4 },
      { part: 'sessionId', reason: 'technical', rows: 4 },
    ]),
  )
  expect(records.map(({ external_id, fields, found }) => [external_id, fields['input'], found])).toEqual(
    traces.map(({ id, input, kind }) => [id, input.messages, kind === null ? {} : { kind: kind[0] }]),
  )
})

it('reads items of datasets of Langfuse from a table', async () => {
  const rows = ['Hi', 'Bye'].map((input, i) => ({
    id: `i${i}`,
    projectId: 'p',
    datasetId: 'd',
    datasetName: 'greetings',
    status: 'ACTIVE',
    input: { question: input },
    expectedOutput: { answer: `${input}!` },
    metadata: { topic: 'a' },
    htmlSourcePath: '',
    sourceTraceId: null,
    sourceObservationId: null,
    createdAt: '2024-05-01T10:00:00.000Z',
    updatedAt: '2024-05-01T10:00:00.000Z',
  }))
  const { file, records } = await read('items.csv', langfuseTable(rows))
  expect(file.recognized).toBe('langfuse')
  expect(records.map(({ external_id, fields }) => [external_id, fields])).toEqual([
    ['i0', { 'input.question': 'Hi', 'expected_output.answer': 'Hi!' }],
    ['i1', { 'input.question': 'Bye', 'expected_output.answer': 'Bye!' }],
  ])
})

it('reads examples of Phoenix from the API, and from a table with values of Python', async () => {
  const examples = ['Who', 'What'].map((question, i) => ({
    id: `e${i}`,
    input: { question },
    output: { answer: `${question}!` },
    metadata: { lang: 'en' },
    updated_at: '2024-05-01T10:00:00Z',
  }))
  const response = JSON.stringify({ data: { dataset_id: 'd', version_id: 'v', examples } })
  const table = [
    'example_id,input_question,input_messages,output_answer,metadata_lang',
    `e0,Who,"[{'role': 'user', 'content': ""It's me""}]",Who!,en`,
    `e1,What,"[{'role': 'user', 'content': 'Yes'}]",What!,de`,
  ].join('\n')
  const fields = [
    { 'input.question': 'Who', 'output.answer': 'Who!' },
    { 'input.question': 'What', 'output.answer': 'What!' },
  ]
  const fromApi = await read('examples.json', response)
  expect([fromApi.file.recognized, fromApi.records.map((record) => record.fields)]).toEqual(['phoenix', fields])
  const fromTable = await read('examples.csv', table)
  expect(fromTable.file.recognized).toBe('phoenix')
  expect(fromTable.records.map(({ external_id, fields: found }) => [external_id, found])).toEqual([
    ['e0', { input: [{ role: 'user', content: "It's me" }], 'output.answer': 'Who!' }],
    ['e1', { input: [{ role: 'user', content: 'Yes' }], 'output.answer': 'What!' }],
  ])
})

it('reads spans of Phoenix from the API, and runs of experiments', async () => {
  const spans = ['Hi', 'Bye'].map((text, i) => ({
    id: `U3Bhbjo${i}`,
    name: 'llm',
    context: { trace_id: 't', span_id: `s${i}` },
    span_kind: 'LLM',
    parent_id: null,
    start_time: '2024-05-01T10:00:00Z',
    end_time: '2024-05-01T10:00:01Z',
    status_code: 'OK',
    attributes: { 'openinference.span.kind': 'LLM', 'input.value': text, 'output.value': `${text}!` },
    events: [],
  }))
  const fromApi = await read('spans.json', JSON.stringify({ data: spans, next_cursor: null }))
  expect(fromApi.file.recognized).toBe('phoenix')
  expect(fromApi.records.map(({ external_id, fields }) => [external_id, fields])).toEqual([
    ['s0', { input: 'Hi', output: 'Hi!' }],
    ['s1', { input: 'Bye', output: 'Bye!' }],
  ])
  const runs = ['Who', 'What'].map((question, i) => ({
    example_id: `e${i}`,
    repetition_number: 1,
    input: { question },
    reference_output: { answer: 'Right' },
    output: 'Wrong',
    error: null,
    annotations: [{ name: 'correct', annotator_kind: 'CODE', label: ['yes', 'no'][i], score: i, explanation: null }],
  }))
  const { file, records } = await read('experiment.json', JSON.stringify(runs))
  expect(file.recognized).toBe('phoenix')
  expect(records.map(({ fields, found }) => [fields, found])).toEqual(
    runs.map(({ input, annotations: [one] }) => [
      { 'input.question': input.question, output: 'Wrong', 'reference_output.answer': 'Right' },
      { correct: one?.label },
    ]),
  )
})

it('reads pairs of answers with the messages of the better one as pairs', async () => {
  const talk = (question: string, answer: string) => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ]
  const rows = ['One?', 'Two?'].map((prompt, i) => ({
    prompt,
    prompt_id: `p${i}`,
    chosen: talk(prompt, 'Good'),
    rejected: talk(prompt, 'Bad'),
    messages: talk(prompt, 'Good'),
    score_chosen: 8.5,
  }))
  const { file, records } = await read('pairs.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
  expect(file.recognized).toBe('preference')
  expect(records.map(({ found }) => found)).toEqual([{ preferred: 'chosen' }, { preferred: 'chosen' }])
})

it('reads results of the batch API as replies', async () => {
  const rows = ['One', 'Two', 'Three'].map((content, i) => ({
    id: `b${i}`,
    custom_id: `r${i}`,
    response: { status_code: 200, body: { model: 'm', choices: [{ index: 0, message: { role: 'assistant', content } }] } },
    error: null,
  }))
  const { file, records } = await read('output.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
  expect(file.recognized).toBe('openai')
  expect(records.map(({ external_id, fields }) => [external_id, fields['messages']])).toEqual(
    rows.map(({ custom_id, response }) => [custom_id, response.body.choices.map(({ message }) => message)]),
  )
})

it('reads the fine-tuning and evaluation files of Phoenix as messages', async () => {
  const rows = ['Hi', 'Bye'].map((content) => ({ messages: [{ role: 'user', content }], ideal: `${content}!` }))
  const { file, records } = await read('evals.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
  expect(file.recognized).toBe('openai')
  expect(records.map(({ fields }) => fields['messages'])).toEqual(rows.map(({ messages }) => messages))
})
