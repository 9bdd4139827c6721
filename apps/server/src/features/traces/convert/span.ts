import type { StepKind, TraceMessage, TraceStep } from '@postil/contract/trace.ts'
import { isJsonObject, type JsonValue } from '@postil/contract/wire/json.ts'
import { parsedJson } from '#field-types/parsed-json.ts'
import { messagesIn, payload } from '#field-types/trace-messages.ts'
import { type Attributes, firstCount, firstText, firstValue, valueAt } from './attributes.ts'

/** An event of a span. */
export type SpanEvent = { readonly name: string; readonly attributes: Attributes }

/** A span whose attributes follow the conventions of OpenTelemetry or OpenInference. Times are in nanoseconds since the epoch. */
export type Span = {
  readonly id: string
  readonly parent: string | undefined
  readonly name: string
  readonly start: bigint | undefined
  readonly end: bigint | undefined
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  /** The error message of a failed span; empty if the failed span has no message. Undefined if the span didn't fail. */
  readonly error: string | undefined
}

const KINDS: { readonly [name: string]: StepKind } = {
  // openinference.span.kind
  llm: 'llm',
  tool: 'tool',
  retriever: 'retrieval',
  reranker: 'rerank',
  embedding: 'embedding',
  agent: 'agent',
  chain: 'chain',
  prompt: 'chain',
  guardrail: 'guardrail',
  evaluator: 'evaluation',
  // gen_ai.operation.name
  chat: 'llm',
  text_completion: 'llm',
  generate_content: 'llm',
  embeddings: 'embedding',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'agent',
  invoke_workflow: 'chain',
  retrieval: 'retrieval',
  // traceloop.span.kind
  workflow: 'chain',
  task: 'chain',
  // Observation types in Langfuse
  generation: 'llm',
  span: 'chain',
}

/** Returns the step kind for a program's name, for example `llm` for `generation`. Undefined if the name is unknown. */
export const kindNamed = (name: string | undefined): StepKind | undefined => {
  const key = name?.toLowerCase() ?? ''
  return Object.hasOwn(KINDS, key) ? KINDS[key] : undefined
}

const KIND_NAMES = ['openinference.span.kind', 'gen_ai.operation.name', 'traceloop.span.kind', 'langfuse.observation.type']
const MODELS = ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'embedding.model_name', 'reranker.model_name']
const INPUT_TOKENS = ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt']
const OUTPUT_TOKENS = ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion']
const INPUT_MESSAGES = ['gen_ai.input.messages', 'llm.input_messages', 'gen_ai.prompt']
const OUTPUT_MESSAGES = ['gen_ai.output.messages', 'llm.output_messages', 'gen_ai.completion']
const INPUTS = [
  'gen_ai.tool.call.arguments',
  'input.value',
  'traceloop.entity.input',
  'langfuse.observation.input',
  'tool.parameters',
  'gen_ai.prompt',
  'embedding.text',
  'reranker.query',
]
const OUTPUTS = [
  'gen_ai.tool.call.result',
  'output.value',
  'traceloop.entity.output',
  'langfuse.observation.output',
  'gen_ai.completion',
]
const DOCUMENTS = ['retrieval.documents', 'reranker.output_documents']

/**
 * Prefixes of attributes that aren't listed among a step's other attributes. The step stores their values under dedicated keys,
 * such as `input` and `tokens`.
 */
const SHOWN = [
  ...KIND_NAMES,
  ...INPUT_TOKENS,
  ...OUTPUT_TOKENS,
  ...INPUT_MESSAGES,
  ...OUTPUT_MESSAGES,
  ...INPUTS,
  ...OUTPUTS,
  ...DOCUMENTS,
  'gen_ai.system_instructions',
  'input.mime_type',
  'output.mime_type',
]

const kindOf = (attributes: Attributes): StepKind => {
  for (const name of KIND_NAMES) {
    const kind = kindNamed(firstText(attributes, [name]))
    if (kind !== undefined) return kind
  }
  if (attributes.has('gen_ai.tool.name') || attributes.has('tool.name')) return 'tool'
  return firstText(attributes, [...MODELS, 'llm.request.type']) === undefined ? 'other' : 'llm'
}

const EVENT_ROLES: { readonly [event: string]: string } = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
}
const CHOICE = 'gen_ai.choice'

const objectIn = (value: JsonValue | undefined) => (isJsonObject(value) ? value : {})

/**
 * The attributes of an event as an object. If one attribute contains the event's content as JSON, the object also has the keys of
 * this content.
 */
const bodyOf = ({ attributes }: SpanEvent) => {
  const body = parsedJson(attributes.get('gen_ai.event.content') ?? null)
  const names = new Set([...attributes.keys()].map((key) => key.split('.')[0] ?? ''))
  return { ...Object.fromEntries([...names].map((name) => [name, valueAt(attributes, name) ?? null])), ...objectIn(body) }
}

/** Reads the message in an event of a span. */
const eventMessages = (event: SpanEvent): readonly TraceMessage[] => {
  const body = bodyOf(event)
  const isChoice = event.name === CHOICE
  const inner = isChoice ? objectIn(parsedJson(body['message'] ?? null)) : {}
  const role = isChoice ? 'assistant' : EVENT_ROLES[event.name]
  const sent = { content: null, ...body, ...inner, role: objectIn(inner)['role'] ?? body['role'] ?? role ?? 'user' }
  const id = body['id']
  return messagesIn([role === 'tool' && typeof id === 'string' ? { ...sent, tool_call_id: id } : sent]) ?? []
}

/** The messages in the events of a span. */
const eventsOf = (events: readonly SpanEvent[]) => {
  const details = new Map(
    events.flatMap(({ name, attributes }) => (/^gen_ai\.(client\.inference|content\.)/.test(name) ? [...attributes] : [])),
  )
  const input = events.filter(({ name }) => name in EVENT_ROLES).flatMap(eventMessages)
  const output = events.filter(({ name }) => name === CHOICE).flatMap(eventMessages)
  return { input, output, details }
}

const messagesAt = (attributes: Attributes, names: readonly string[]): readonly TraceMessage[] => {
  for (const name of names) {
    const messages = messagesIn(valueAt(attributes, name))
    if (messages !== null && messages.length > 0) return messages
  }
  return []
}

/** The system prompt, if it has its own attribute. The attribute contains a string or a list of parts. */
const instructionsIn = (attributes: Attributes): readonly TraceMessage[] => {
  const value = valueAt(attributes, 'gen_ai.system_instructions')
  if (value === undefined) return []
  const parts = Array.isArray(value) ? value : [value]
  return messagesIn([{ role: 'system', content: parts }]) ?? []
}

/** The documents that a retriever returned, without the object that wraps each document. */
const documentsIn = (attributes: Attributes): JsonValue | undefined => {
  const list = firstValue(attributes, DOCUMENTS)
  return Array.isArray(list) ? list.map((one: JsonValue) => objectIn(one)['document'] ?? one) : list
}

const inputOf = (attributes: Attributes, fromEvents: readonly TraceMessage[]): JsonValue | undefined => {
  const messages = messagesAt(attributes, INPUT_MESSAGES)
  const all = messages.length > 0 ? [...instructionsIn(attributes), ...messages] : fromEvents
  if (all.length > 0) return all
  const value = firstValue(attributes, INPUTS)
  return value === undefined ? undefined : payload(value)
}

const outputOf = (attributes: Attributes, fromEvents: readonly TraceMessage[]): JsonValue | undefined => {
  const messages = messagesAt(attributes, OUTPUT_MESSAGES)
  const all = messages.length > 0 ? messages : fromEvents
  if (all.length > 0) return all
  const value = documentsIn(attributes) ?? firstValue(attributes, OUTPUTS)
  return value === undefined ? undefined : payload(value)
}

/** The message of the exception that an event reports. */
const exceptionIn = (events: readonly SpanEvent[]): string | undefined => {
  const attributes = events.find(({ name }) => name === 'exception')?.attributes
  return attributes && firstText(attributes, ['exception.message', 'exception.type'])
}

/** The start and the duration of a step. */
export const timing = (start: bigint | undefined, end: bigint | undefined): Pick<TraceStep, 'start' | 'duration_ms'> => {
  const milliseconds = start === undefined || start <= 0n ? Number.NaN : Number(start / 1_000_000n)
  // The last millisecond of the year 9999
  if (!(milliseconds <= 253_402_300_799_999)) return {}
  const duration = end !== undefined && start !== undefined && end >= start ? Number((end - start) / 1000n) / 1000 : undefined
  return { start: new Date(milliseconds).toISOString(), ...(duration !== undefined && { duration_ms: duration }) }
}

/** The maximum length of names, as the rules for traces define it. */
const MAX_NAME = 1000
const short = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1).toWellFormed()}…` : text)

/** The step for a span. */
export const stepOfSpan = ({ id, parent, name, start, end, events, error, attributes: own }: Span): TraceStep => {
  const { input: asked, output: answered, details } = eventsOf(events)
  const attributes: Attributes = details.size === 0 ? own : new Map([...details, ...own])
  const kind = kindOf(attributes)
  const model = firstText(attributes, MODELS)
  const [read, written] = [firstCount(attributes, INPUT_TOKENS), firstCount(attributes, OUTPUT_TOKENS)]
  const tokens = { ...(read !== undefined && { input: read }), ...(written !== undefined && { output: written }) }
  const input = inputOf(attributes, asked)
  const output = outputOf(attributes, answered)
  const isShown = (key: string) => SHOWN.some((shown) => key === shown || key.startsWith(`${shown}.`))
  const others = [...own].filter(([key, value]) => !isShown(key) && value !== null)
  const failure = error === undefined ? undefined : error || (exceptionIn(events) ?? 'Error')
  return {
    id,
    ...(parent !== undefined && { parent }),
    kind,
    name: short(firstText(attributes, kind === 'tool' ? ['gen_ai.tool.name', 'tool.name'] : []) ?? name),
    ...timing(start, end),
    ...(model !== undefined && { model: short(model) }),
    ...(Object.keys(tokens).length > 0 && { tokens }),
    ...(failure !== undefined && { error: failure }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(others.length > 0 && { attributes: Object.fromEntries(others) }),
  }
}
