import { otlpRequest, otlpSpan, spanId, traceId } from '@postil/testkit/otlp.ts'
import { expect, it } from 'vitest'
import { setUpImports } from '../testing/fixtures.ts'
import { importAsProposed } from '../testing/import-as-proposed.ts'

const fixture = setUpImports()
const read = (name: string, content: string, as?: 'langfuse_traces' | 'phoenix_traces' | 'message_traces') =>
  importAsProposed(fixture.server, name, content, as)
const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n')

/** The IDs and parents of the steps of each record. */
const trees = (records: Awaited<ReturnType<typeof read>>['records']) =>
  records.map(({ external_id, fields }) => {
    const { steps } = fields['trace'] as { readonly steps: readonly { readonly id: string; readonly parent?: string }[] }
    return [external_id, steps.map(({ id, parent = null }) => [id, parent])]
  })

const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'small', 'gen_ai.usage.input_tokens': 12 }

it('makes one record of the spans of a trace, wherever they are in the file', async () => {
  const first = otlpRequest(otlpSpan(1, { name: 'agent', ms: 20 }), otlpSpan(2, { trace: 2 }))
  const second = otlpRequest(
    otlpSpan(3, { parent: 1, attributes: chat, error: 'Too slow' }),
    otlpSpan(4, { trace: 2, parent: 2 }),
  )
  const { file, records, job } = await read('spans.jsonl', lines(first, second, first))
  expect([file.recognized, file.read_as, job.import?.created]).toEqual(['otlp', 'otlp', 2])
  expect(file.columns.map(({ name, proposal }) => [name, proposal?.role, proposal?.type])).toEqual([
    ['id', 'external_id', null],
    ['trace', 'field', 'trace'],
    ['name', 'metadata', 'terms'],
    ['steps', 'metadata', 'integer'],
    ['errors', 'metadata', 'integer'],
    ['duration_ms', 'metadata', 'integer'],
    ['tokens', 'metadata', 'integer'],
    ['service', 'metadata', 'terms'],
  ])
  expect(trees(records)).toEqual([
    [
      traceId(1),
      [
        [spanId(1), null],
        [spanId(3), spanId(1)],
      ],
    ],
    [
      traceId(2),
      [
        [spanId(2), null],
        [spanId(4), spanId(2)],
      ],
    ],
  ])
  expect(records[0]?.metadata).toEqual({ name: 'agent', steps: 2, errors: 1, duration_ms: 20, tokens: 12, service: 'shop' })
})

it('reads a single request, and names spans that it cannot read', async () => {
  const { file, records } = await read('spans.json', JSON.stringify(otlpRequest(otlpSpan(1), otlpSpan(2, { parent: 1 }))))
  expect([file.recognized, trees(records)]).toEqual([
    'otlp',
    [
      [
        traceId(1),
        [
          [spanId(1), null],
          [spanId(2), spanId(1)],
        ],
      ],
    ],
  ])
  const bad = otlpRequest({ ...otlpSpan(5), spanId: 'x' })
  const mixed = await read('mixed.jsonl', lines(otlpRequest(otlpSpan(1)), bad))
  expect(mixed.job.import).toMatchObject({ created: 1, failed: 1 })
})

/** An answer that gives the second step a label. */
const labelled = (label: string) => [{ label, start: 1, end: 2 }]

it('reads traces of Langfuse with their observations and scores', async () => {
  const observation = {
    id: 'o1',
    type: 'GENERATION',
    name: 'chat',
    startTime: '2026-01-01T10:00:00Z',
    input: [{ role: 'user', content: 'Hi' }],
  }
  const score = (value: string, more = {}) => ({
    name: 'quality',
    dataType: 'CATEGORICAL',
    stringValue: value,
    source: 'EVAL',
    ...more,
  })
  const trace = (id: string, value: string) => ({
    id,
    timestamp: '2026-01-01T10:00:00Z',
    name: 'shop',
    tags: ['web'],
    metadata: { language: 'en' },
    input: 'Hi',
    output: 'Hello',
    observations: [observation],
    scores: [
      score(value),
      score('bad', { observationId: 'o1', comment: 'Too short' }),
      { name: 'speed', value: 0.25, dataType: 'NUMERIC', source: 'API', observationId: 'o1', traceId: id },
      score('good', { observationId: 'o1', source: 'ANNOTATION', authorUserId: 'ann', name: 'help' }),
      ...(id === 't2' ? [score('bad', { observationId: 'gone' })] : []),
    ],
  })
  const { file, records } = await read('traces.json', JSON.stringify([trace('t1', 'good'), trace('t2', 'bad')]))
  expect(file.recognized).toBe('langfuse_traces')
  expect(trees(records)).toEqual(
    ['t1', 't2'].map((id) => [
      id,
      [
        [id, null],
        ['o1', id],
      ],
    ]),
  )
  expect(records.map(({ found, metadata }) => [found, metadata])).toEqual([
    [
      { quality: 'good', 'quality (steps)': labelled('bad'), 'help (steps)': labelled('good') },
      { name: 'shop', steps: 2, errors: 0, tags: ['web'], language: 'en' },
    ],
    [
      { quality: 'bad', 'quality (steps)': labelled('bad'), 'help (steps)': labelled('good') },
      { name: 'shop', steps: 2, errors: 0, tags: ['web'], language: 'en' },
    ],
  ])
  expect(records[0]?.fields['trace']).toMatchObject({
    steps: [
      {},
      {
        attributes: {
          scores: [
            { name: 'quality', dataType: 'CATEGORICAL', stringValue: 'bad', source: 'EVAL', comment: 'Too short' },
            { name: 'speed', value: 0.25, dataType: 'NUMERIC', source: 'API' },
            { name: 'help', stringValue: 'good', source: 'ANNOTATION', authorUserId: 'ann' },
          ],
        },
      },
    ],
  })
  expect(file.contents?.annotations.map(({ name, annotations }) => [name, annotations])).toEqual([['ann', 2]])
  // Only a score whose step isn't in the file is left out.
  expect(file.contents?.left_out.filter(({ reason }) => reason === 'unsupported')).toEqual([
    { part: 'scores', reason: 'unsupported', rows: 1 },
  ])
})

it('reads observations of Langfuse in a table, whose cells are JSON', async () => {
  const rows = [
    {
      id: 'o1',
      traceId: 't1',
      traceName: 'shop',
      startTime: '2026-01-01T10:00:00Z',
      type: 'SPAN',
      parentObservationId: null,
      input: '{"q":1}',
    },
    {
      id: 'o2',
      traceId: 't1',
      traceName: 'shop',
      startTime: '2026-01-01T10:00:01Z',
      type: 'TOOL',
      parentObservationId: 'o1',
      input: '',
    },
  ]
  const cell = (value: unknown) => `"${JSON.stringify(value ?? '').replaceAll('"', '""')}"`
  const table = [Object.keys(rows[0] ?? {}).join(','), ...rows.map((row) => Object.values(row).map(cell).join(','))].join('\n')
  const { file, records } = await read('observations.csv', table)
  expect([file.recognized, trees(records)]).toEqual([
    'langfuse_traces',
    [
      [
        't1',
        [
          ['o1', null],
          ['o2', 'o1'],
        ],
      ],
    ],
  ])
})

it('reads spans of Phoenix as traces if they form a tree', async () => {
  const span = (id: string, parent_id: string | null, more = {}) => ({
    name: id,
    context: { trace_id: 't1', span_id: id },
    span_kind: 'CHAIN',
    parent_id,
    start_time: '2026-01-01T10:00:00Z',
    end_time: '2026-01-01T10:00:01Z',
    status_code: 'OK',
    attributes: { 'input.value': 'Hi' },
    events: [],
    ...more,
  })
  const annotations = [{ name: 'correct', annotator_kind: 'LLM', result: { label: 'yes' } }]
  const ofStep = [{ name: 'relevance', annotator_kind: 'CODE', result: { score: 3 } }]
  const sent = {
    data: [span('s2', 's1', { annotations: ofStep }), span('s1', null, { annotations })],
    next_cursor: null,
  }
  const { file, records } = await read('spans.json', JSON.stringify(sent))
  expect([file.recognized, trees(records)]).toEqual([
    'phoenix_traces',
    [
      [
        't1',
        [
          ['s2', 's1'],
          ['s1', null],
        ],
      ],
    ],
  ])
  expect(records[0]?.found['relevance (steps)']).toEqual([{ label: '3', start: 0, end: 1 }])
})

it('reads conversations with calls of tools as steps on request', async () => {
  const row = {
    id: 'r1',
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'clear' },
    ],
  }
  const { file, records } = await read('chats.jsonl', lines(row, { ...row, id: 'r2' }), 'message_traces')
  expect([file.recognized, file.read_as]).toEqual(['openai', 'message_traces'])
  expect(trees(records)[0]).toEqual([
    'r1',
    [
      ['message-1', null],
      ['message-2', null],
      ['message-2-call-1', 'message-2'],
    ],
  ])
})

const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }
const conversation = [
  { role: 'user', content: 'Weather in Bern?' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c1', content: '{"sky":"clear"}' },
  { role: 'assistant', content: 'Clear.' },
]
const conversationSteps = [
  { id: 'message-1', kind: 'message', name: 'user', input: 'Weather in Bern?' },
  {
    id: 'message-2',
    kind: 'llm',
    name: 'assistant',
    output: [{ role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'weather', arguments: { city: 'Bern' } }] }],
  },
  {
    id: 'message-2-call-1',
    parent: 'message-2',
    kind: 'tool',
    name: 'weather',
    input: { city: 'Bern' },
    output: { sky: 'clear' },
  },
  { id: 'message-4', kind: 'llm', name: 'assistant', output: 'Clear.' },
]

it('makes steps of the messages in a column whose field is a trace', async () => {
  const kinds = { messages: 'trace', run: 'trace' }
  const recognized = await importAsProposed(
    fixture.server,
    'chats.jsonl',
    lines({ id: 'a', messages: conversation }),
    undefined,
    kinds,
  )
  expect([recognized.file.recognized, recognized.job.import?.created]).toEqual(['openai', 1])
  expect(recognized.records[0]?.fields['messages']).toEqual({ steps: conversationSteps })
  const cell = JSON.stringify(conversation).replaceAll('"', '""')
  const table = await importAsProposed(
    fixture.server,
    'runs.csv',
    `key,run\nfirst,"${cell}"\nsecond,"[{""answer"": 42}]"\n`,
    undefined,
    kinds,
  )
  expect(table.file.recognized).toBeNull()
  expect(table.job.import).toMatchObject({ created: 1, failed: 1 })
  expect(table.records.map(({ fields }) => fields['run'])).toEqual([{ steps: conversationSteps }])
})
