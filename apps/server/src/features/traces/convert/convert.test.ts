import { isTrace, type TraceStep } from '@postil/contract/trace.ts'
import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { otlpRequest, otlpSpan, type SpanOptions, spanId, traceId } from '@postil/testkit/otlp.ts'
import { expect, it } from 'vitest'
import { stepsOfMessages } from '#field-types/steps-of-messages.ts'
import { messagesIn, payload } from '#field-types/trace-messages.ts'
import { langfuseParts } from './langfuse.ts'
import { mergeSteps } from './merge.ts'
import { otlpParts, type TracePart } from './otlp.ts'
import { phoenixParts } from './phoenix.ts'

/** A value as it arrives in a request. */
const sent = (value: object): JsonObject => {
  const parsed: unknown = JSON.parse(JSON.stringify(value))
  if (!isJsonObject(parsed)) throw new Error('not an object')
  return parsed
}
const partsOf = (read: readonly TracePart[] | { readonly fault: unknown }): readonly TracePart[] => {
  if ('fault' in read) throw new Error(JSON.stringify(read.fault))
  return read
}
/** Converts one span and returns the resulting step. */
const stepOf = (options: SpanOptions): TraceStep => {
  const [part] = partsOf(otlpParts(sent(otlpRequest(otlpSpan(1, options)))))
  const [step] = part?.steps ?? []
  if (step === undefined) throw new Error('no step')
  expect(isTrace({ steps: [step] })).toBe(true)
  return step
}

const asked = { role: 'user', content: 'Weather in Zürich?' }
const called = { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'weather', arguments: { city: 'Zürich' } }] }
const found = { role: 'tool', content: { sky: 'clear' }, tool_call_id: 'c1' }

it('reads messages of OpenTelemetry in attributes', () => {
  const system = JSON.stringify([{ type: 'text', content: 'Be brief.' }])
  const input = [
    { role: 'user', parts: [{ type: 'text', content: asked.content }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Zürich' } }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '{"sky":"clear"}' }] },
  ]
  const step = stepOf({
    name: 'chat small',
    ms: 1500.25,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'small',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.system_instructions': system,
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'Clear.' }], finish_reason: 'stop' }],
      'gen_ai.request.temperature': 0.5,
    },
  })
  expect(step).toEqual({
    id: spanId(1),
    kind: 'llm',
    name: 'chat small',
    start: '2026-01-01T10:00:00.001Z',
    duration_ms: 1500.25,
    model: 'small',
    tokens: { input: 12, output: 3 },
    input: [{ role: 'system', content: 'Be brief.' }, asked, called, found],
    output: [{ role: 'assistant', content: 'Clear.' }],
    attributes: { 'gen_ai.request.model': 'small', 'gen_ai.request.temperature': 0.5 },
  })
})

it('reads messages of OpenTelemetry in events, and numbered attributes of earlier conventions', () => {
  const events = [
    { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
    { name: 'gen_ai.user.message', attributes: { content: asked.content } },
    { name: 'gen_ai.tool.message', attributes: { content: '{"sky":"clear"}', id: 'c1' } },
    { name: 'gen_ai.choice', attributes: { index: 0, message: '{"role":"assistant","content":"Clear."}' } },
  ]
  expect(stepOf({ attributes: { 'gen_ai.operation.name': 'chat' }, events })).toMatchObject({
    kind: 'llm',
    input: [{ role: 'system', content: 'Be brief.' }, asked, found],
    output: [{ role: 'assistant', content: 'Clear.' }],
  })
  const numbered = {
    'llm.request.type': 'chat',
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': asked.content,
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.tool_calls.0.id': 'c1',
    'gen_ai.completion.0.tool_calls.0.name': 'weather',
    'gen_ai.completion.0.tool_calls.0.arguments': '{"city":"Zürich"}',
  }
  expect(stepOf({ attributes: numbered })).toMatchObject({ kind: 'llm', input: [asked], output: [called] })
})

it('reads spans of OpenInference', () => {
  const llm = stepOf({
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'small',
      'llm.token_count.prompt': 12,
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.contents.0.message_content.type': 'text',
      'llm.input_messages.0.message.contents.0.message_content.text': asked.content,
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'weather',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"city":"Zürich"}',
      'input.value': 'ignored',
    },
  })
  expect(llm).toMatchObject({ kind: 'llm', model: 'small', tokens: { input: 12 }, input: [asked], output: [called] })
  const tool = {
    'openinference.span.kind': 'TOOL',
    'tool.name': 'weather',
    'input.value': '{"city":"Zürich"}',
    'output.value': 'clear',
  }
  expect(stepOf({ name: 'call', attributes: tool, error: '' })).toMatchObject({
    kind: 'tool',
    name: 'weather',
    input: { city: 'Zürich' },
    output: 'clear',
    error: 'Error',
  })
  const retriever = {
    'openinference.span.kind': 'RETRIEVER',
    'input.value': 'Zürich',
    'retrieval.documents.1.document.content': 'Second',
    'retrieval.documents.0.document.content': 'First',
    'retrieval.documents.0.document.score': 0.5,
  }
  expect(stepOf({ attributes: retriever })).toMatchObject({
    kind: 'retrieval',
    input: 'Zürich',
    output: [{ content: 'First', score: 0.5 }, { content: 'Second' }],
  })
})

it('takes the message of an exception as the error, and keeps texts that are not quite JSON', () => {
  const events = [{ name: 'exception', attributes: { 'exception.type': 'TimeoutError', 'exception.message': 'Too slow' } }]
  expect(stepOf({ error: '', events }).error).toBe('Too slow')
  const values = { 'input.value': '{"broken', 'output.value': '{"n":12345678901234567890}' }
  expect(stepOf({ attributes: values })).toMatchObject({ kind: 'other', input: '{"broken', output: '{"n":12345678901234567890}' })
})

it('divides a request into traces, and reads IDs in base64', () => {
  const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
  const span = { ...otlpSpan(3, { trace: 2 }), traceId: base64(traceId(2)), spanId: base64(spanId(3)) }
  const parts = partsOf(otlpParts(sent(otlpRequest(otlpSpan(1), otlpSpan(2, { trace: 2 }), span))))
  expect(parts.map(({ trace, steps, about }) => [trace, steps.map(({ id }) => id), about])).toEqual([
    [traceId(1), [spanId(1)], { service: 'shop' }],
    [traceId(2), [spanId(2), spanId(3)], { service: 'shop' }],
  ])
})

it.each([
  [{}, 'resourceSpans'],
  [{ resourceSpans: [1] }, 'resourceSpans[0].scopeSpans'],
  [otlpRequest({ ...otlpSpan(1), traceId: 'abc' }), 'resourceSpans[0].scopeSpans[0].spans[0].traceId'],
  [otlpRequest(otlpSpan(1), { ...otlpSpan(1), spanId: '0'.repeat(16) }), 'resourceSpans[0].scopeSpans[0].spans[1].spanId'],
  [otlpRequest({ ...otlpSpan(1), parentSpanId: 5 }), 'resourceSpans[0].scopeSpans[0].spans[0].parentSpanId'],
])('refuses the request %#, and names the place', (request, part) => {
  expect(otlpParts(sent(request))).toMatchObject({ fault: { params: { part } } })
})

it('reads traces and observations of Langfuse', () => {
  const observation = (id: string, more: object) => ({
    id,
    type: 'SPAN',
    name: id,
    startTime: '2026-01-01T10:00:00.000Z',
    ...more,
  })
  const generation = observation('o2', {
    type: 'GENERATION',
    parentObservationId: 'o1',
    endTime: '2026-01-01T10:00:01.500Z',
    model: 'small',
    usageDetails: { input: 12, output: 3, total: 15 },
    input: [asked],
    output: called,
    level: 'ERROR',
    statusMessage: 'Too slow',
    modelParameters: { temperature: 0 },
  })
  const trace = {
    id: 't1',
    name: 'shop',
    input: asked.content,
    output: 'Clear.',
    tags: ['web'],
    observations: [observation('o1', {}), generation],
  }
  const [part] = partsOf(langfuseParts(sent(trace)))
  expect(part).toMatchObject({ trace: 't1', about: { name: 'shop', tags: ['web'] } })
  expect(part?.steps.map(({ id, parent, kind }) => [id, parent, kind])).toEqual([
    ['t1', undefined, 'agent'],
    ['o1', 't1', 'chain'],
    ['o2', 'o1', 'llm'],
  ])
  expect(part?.steps[2]).toEqual({
    id: 'o2',
    parent: 'o1',
    kind: 'llm',
    name: 'o2',
    start: '2026-01-01T10:00:00.000Z',
    duration_ms: 1500,
    model: 'small',
    tokens: { input: 12, output: 3 },
    error: 'Too slow',
    input: [asked],
    output: [called],
    attributes: { modelParameters: { temperature: 0 } },
  })
  const same = { ...trace, observations: [observation('o1', { input: asked.content, output: 'Clear.' })] }
  expect(partsOf(langfuseParts(sent(same)))[0]?.steps.map(({ id }) => id)).toEqual(['o1'])
  const alone = observation('o3', { traceId: 't2', traceName: 'shop', type: 'TOOL', input: '{"city":"Zürich"}' })
  expect(partsOf(langfuseParts(sent(alone)))).toMatchObject([
    { trace: 't2', about: { name: 'shop' }, steps: [{ id: 'o3', kind: 'tool', input: { city: 'Zürich' } }] },
  ])
})

it('reads spans of Phoenix from the API and from tables', () => {
  const fromApi = {
    name: 'call',
    context: { trace_id: 't1', span_id: 's2' },
    span_kind: 'LLM',
    parent_id: 's1',
    start_time: '2026-01-01T10:00:00.123456+00:00',
    end_time: '2026-01-01T10:00:01.123456+00:00',
    status_code: 'ERROR',
    status_message: 'Too slow',
    attributes: { llm: { input_messages: [{ message: asked }] }, 'output.value': 'Clear.' },
    events: [],
  }
  const expected = {
    id: 's2',
    parent: 's1',
    kind: 'llm',
    name: 'call',
    start: '2026-01-01T10:00:00.123Z',
    duration_ms: 1000,
    error: 'Too slow',
    input: [asked],
    output: 'Clear.',
  }
  expect(partsOf(phoenixParts(sent(fromApi)))).toEqual([{ trace: 't1', steps: [expected], about: {} }])
  const fromTable = {
    name: 'call',
    span_kind: 'LLM',
    parent_id: 's1',
    start_time: '2026-01-01 10:00:00.123456+00:00',
    end_time: '2026-01-01 10:00:01.123456+00:00',
    status_code: 'ERROR',
    status_message: 'Too slow',
    'context.trace_id': 't1',
    'context.span_id': 's2',
    'attributes.llm.input_messages': [{ 'message.role': 'user', 'message.content': asked.content }],
    'attributes.output.value': 'Clear.',
  }
  expect(partsOf(phoenixParts(sent(fromTable)))).toEqual([{ trace: 't1', steps: [expected], about: {} }])
})

it.each([
  [
    'OpenAI',
    [
      asked,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Zürich"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"sky":"clear"}' },
    ],
  ],
  [
    'Anthropic',
    [
      { role: 'user', content: [{ type: 'text', text: asked.content }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Zürich' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '{"sky":"clear"}' }] },
    ],
  ],
  [
    'LangChain',
    [
      { type: 'human', content: asked.content },
      {
        lc: 1,
        type: 'constructor',
        id: ['langchain', 'schema', 'AIMessage'],
        kwargs: { content: null, tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Zürich' } }] },
      },
      { type: 'tool', data: { content: '{"sky":"clear"}', tool_call_id: 'c1' } },
    ],
  ],
])('reads messages of %s', (_, messages) => {
  expect(messagesIn(sent({ messages })['messages'])).toEqual([asked, called, found])
})

it('leaves other values alone', () => {
  for (const value of ['text', { a: 1 }, [1], [], { messages: [asked], model: 'x' }, { role: 'admin' }, null])
    expect(payload(sent({ value })['value'] ?? null)).toEqual(value)
})

it('makes steps of a conversation, with the results below the calls', () => {
  const steps = stepsOfMessages([asked, called, found, { role: 'assistant', content: 'Clear.' }])
  expect(steps.map(({ id, parent, kind, name }) => [id, parent, kind, name])).toEqual([
    ['message-1', undefined, 'message', 'user'],
    ['message-2', undefined, 'llm', 'assistant'],
    ['message-2-call-1', 'message-2', 'tool', 'weather'],
    ['message-4', undefined, 'llm', 'assistant'],
  ])
  expect(steps[2]).toMatchObject({ input: { city: 'Zürich' }, output: { sky: 'clear' } })
  expect(isTrace({ steps })).toBe(true)
})

it('merges steps in any order and any number of times, without moving earlier ones', () => {
  const step = (id: string, start?: string, name = id): TraceStep => ({ id, kind: 'other', name, ...(start && { start }) })
  const first = mergeSteps([], [step('c'), step('b', '2026-01-01T00:00:02Z'), step('a', '2026-01-01T00:00:01Z')])
  expect(first.steps.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  const more = [step('d', '2026-01-01T00:00:00Z'), step('b', '2026-01-01T00:00:02Z', 'new')]
  const second = mergeSteps(first.steps, more)
  expect(second.steps.map(({ id, name }) => [id, name])).toEqual([
    ['a', 'a'],
    ['b', 'new'],
    ['c', 'c'],
    ['d', 'd'],
  ])
  expect(mergeSteps(second.steps, more)).toEqual(second)
})
