import { isJsonObject, type JsonObject, type JsonValue } from './wire/json.ts'
import { message, type Reason } from './wire/message.ts'

/** What a step of a trace does. Steps of other kinds are `other`. */
export const stepKinds = [
  'agent',
  'chain',
  'llm',
  'tool',
  'retrieval',
  'rerank',
  'embedding',
  'guardrail',
  'evaluation',
  'message',
  'other',
] as const
export type StepKind = (typeof stepKinds)[number]

/** The maximum number of steps in a trace. */
export const maxSteps = 5000
/** The maximum length of a step's ID, name, model and parent, in UTF-16 code units. */
const maxNameLength = 1000

/**
 * A step of a trace, such as a span of OpenTelemetry. Keys without a value are missing.
 */
export type TraceStep = {
  /** Unique in the trace. */
  readonly id: string
  /** The ID of the step that contains this step. The trace doesn't have to contain that step. */
  readonly parent?: string
  readonly kind: StepKind
  readonly name: string
  /** ISO 8601, in UTC. */
  readonly start?: string
  readonly duration_ms?: number
  readonly model?: string
  /** Tokens of the input and the output of a model. */
  readonly tokens?: { readonly input?: number; readonly output?: number }
  /** Why the step failed. */
  readonly error?: string
  /** Messages, text or any other JSON. */
  readonly input?: JsonValue
  readonly output?: JsonValue
  /** What else is known about the step. */
  readonly attributes?: JsonObject
}

/** The value of a trace field. New steps are added at the end, so that the position of a step never changes. */
export type Trace = { readonly steps: readonly TraceStep[] }

/** A call of a tool in a message. */
export type ToolCall = { readonly id?: string; readonly name: string; readonly arguments?: JsonValue }

/** A message in the input or the output of a step. A message with the role `tool` has the result of a call. */
export type TraceMessage = {
  readonly role: string
  readonly content?: JsonValue
  readonly tool_calls?: readonly ToolCall[]
  /** The ID of the tool call whose result this message contains. */
  readonly tool_call_id?: string
  /** Who wrote the message, or the name of the tool. */
  readonly name?: string
}

/** Whether a value is a list of messages. */
export const areMessages = (value: unknown): value is readonly TraceMessage[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isJsonObject(item) && typeof item['role'] === 'string' && ('content' in item || 'tool_calls' in item))

const isName = (value: unknown): boolean => typeof value === 'string' && value.length <= maxNameLength
const isOptional = (value: unknown, test: (value: unknown) => boolean): boolean => value === undefined || test(value)
const isAmount = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0
const isDate = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))

/** The name of the first invalid key of a step, or null. */
const faultyKey = (step: JsonObject): string | null => {
  const { tokens } = step
  const isValid: { readonly [key: string]: boolean } = {
    id: isName(step['id']) && step['id'] !== '',
    parent: isOptional(step['parent'], isName),
    kind: stepKinds.some((kind) => kind === step['kind']),
    name: isName(step['name']),
    start: isOptional(step['start'], isDate),
    duration_ms: isOptional(step['duration_ms'], isAmount),
    model: isOptional(step['model'], isName),
    tokens: isOptional(tokens, (value) => isJsonObject(value) && Object.values(value).every(isAmount)),
    error: isOptional(step['error'], (value) => typeof value === 'string'),
    attributes: isOptional(step['attributes'], isJsonObject),
  }
  return Object.entries(isValid).find(([, valid]) => !valid)?.[0] ?? null
}

/** Why a value isn't a trace, as the end of a sentence that starts with the field's name. Null if it is one. */
export const traceFault = (value: JsonValue): Reason | null => {
  const steps = isJsonObject(value) ? value['steps'] : undefined
  if (!Array.isArray(steps)) return message('traceNoSteps')
  if (steps.length > maxSteps) return message('traceTooLong', { limit: maxSteps })
  const ids = new Set<string>()
  for (const [index, step] of steps.entries()) {
    const number = index + 1
    if (!isJsonObject(step)) return message('traceStepNotObject', { step: number })
    const key = faultyKey(step)
    if (key !== null) return message('traceStepKey', { step: number, key })
    const id = String(step['id'])
    if (ids.has(id)) return message('traceStepTwice', { step: number, id })
    ids.add(id)
  }
  return null
}

export const isTrace = (value: unknown): value is Trace => isJsonObject(value) && traceFault(value) === null

const none: readonly TraceStep[] = []
/** Caches the steps of each value that has been checked. */
const checked = new WeakMap<object, readonly TraceStep[]>()

/**
 * The steps of a trace. Empty for any other value. Caches the result for each value, because the web app calls this on each key
 * press.
 */
export const stepsOf = (value: unknown): readonly TraceStep[] => {
  if (!isJsonObject(value)) return none
  const steps = checked.get(value) ?? (isTrace(value) ? value.steps : none)
  checked.set(value, steps)
  return steps
}
