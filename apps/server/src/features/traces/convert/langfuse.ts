import type { TraceStep } from '@postil/contract/trace.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { parsedJson } from '#field-types/parsed-json.ts'
import { payload } from '#field-types/trace-messages.ts'
import { isoNanoseconds } from './iso-time.ts'
import type { TracePart } from './otlp.ts'
import { kindNamed, timing } from './span.ts'

const textIn = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
const isFilled = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== null && value !== '' && !(isJsonObject(value) && Object.keys(value).length === 0)

/**
 * Goes through the keys in order and returns the first value that isn't missing or empty. Some exports write keys in snake case
 * instead of camel case.
 */
const first = (object: JsonObject, keys: readonly string[]): JsonValue | undefined =>
  keys.map((key) => object[key]).find((value) => value !== undefined && value !== null && value !== '')

const countIn = (value: JsonValue | undefined): number | undefined => {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

const tokensOf = (one: JsonObject): TraceStep['tokens'] => {
  const details = parsedJson(first(one, ['usageDetails', 'usage_details', 'usage']) ?? null)
  const usage = isJsonObject(details) ? details : {}
  const input = countIn(first(usage, ['input', 'prompt_tokens', 'promptTokens']) ?? first(one, ['inputUsage', 'promptTokens']))
  const output = countIn(
    first(usage, ['output', 'completion_tokens', 'completionTokens']) ?? first(one, ['outputUsage', 'completionTokens']),
  )
  return input === undefined && output === undefined
    ? undefined
    : { ...(input !== undefined && { input }), ...(output !== undefined && { output }) }
}

const DETAILS = ['metadata', 'modelParameters', 'model_parameters', 'promptName', 'prompt_name', 'promptVersion', 'version']

const stepOf = (one: JsonObject, id: string, parent: string | undefined): TraceStep => {
  const error = one['level'] === 'ERROR' ? (textIn(first(one, ['statusMessage', 'status_message'])) ?? 'Error') : undefined
  const model = textIn(first(one, ['model', 'providedModelName', 'provided_model_name', 'internalModel']))
  const tokens = tokensOf(one)
  const [input, output] = [one['input'], one['output']]
  const details = DETAILS.flatMap((key): [string, JsonValue][] => {
    const value = parsedJson(one[key] ?? null)
    return isFilled(value) ? [[key, value]] : []
  })
  return {
    id,
    ...(parent !== undefined && { parent }),
    kind: kindNamed(textIn(one['type'])) ?? 'other',
    name: textIn(one['name']) ?? '',
    ...timing(
      isoNanoseconds(first(one, ['startTime', 'start_time', 'timestamp'])),
      isoNanoseconds(first(one, ['endTime', 'end_time'])),
    ),
    ...(model !== undefined && { model }),
    ...(tokens !== undefined && { tokens }),
    ...(error !== undefined && { error }),
    ...(isFilled(input) && { input: payload(input) }),
    ...(isFilled(output) && { output: payload(output) }),
    ...(details.length > 0 && { attributes: Object.fromEntries(details) }),
  }
}

const parentOf = (one: JsonObject): string | undefined => textIn(first(one, ['parentObservationId', 'parent_observation_id']))
const traceOf = (one: JsonObject): string | undefined => textIn(first(one, ['traceId', 'trace_id']))

/** Whether the observations of a trace have only one root, and this root has the same input and output as the trace. */
const repeats = (trace: JsonObject, roots: readonly JsonObject[]): boolean => {
  const [root] = roots
  if (root === undefined || roots.length > 1) return false
  return ['input', 'output'].every((key) => !isFilled(trace[key]) || jsonEquals(trace[key], root[key]))
}

/** The values of these keys of a trace are imported as fields, metadata and questions of the trace's record. */
const ABOUT = ['name', 'metadata', 'tags', 'scores', 'comments']
const aboutOf = (row: JsonObject): JsonObject =>
  Object.fromEntries(ABOUT.flatMap((key) => (isFilled(row[key]) ? [[key, row[key] ?? null]] : [])))

/** Converts a row from Langfuse: a trace with its observations, a trace alone, or a single observation. */
export const langfuseParts = (row: JsonObject): readonly TracePart[] | { readonly fault: Reason } => {
  const id = textIn(row['id'])
  if (id === undefined) return { fault: message('partMissing', { part: 'id' }) }
  const trace = traceOf(row)
  if (trace !== undefined) {
    const about = {
      ...(isFilled(row['traceName']) && { name: row['traceName'] }),
      ...(isFilled(row['traceTags']) && { tags: parsedJson(row['traceTags']) }),
    }
    const step = stepOf(row, id, parentOf(row))
    const scores = parsedJson(row['scores'] ?? null)
    const scored = isFilled(scores) ? { ...step, attributes: { ...step.attributes, scores } } : step
    return [{ trace, steps: [scored], about }]
  }
  const observations = parsedJson(row['observations'] ?? null)
  const list = Array.isArray(observations) ? observations.filter(isJsonObject) : []
  const roots = list.filter((one) => parentOf(one) === undefined)
  const needsRoot = !repeats(row, roots)
  const { metadata: _, ...own } = row
  const steps = list.flatMap((one): TraceStep[] => {
    const step = textIn(one['id'])
    return step === undefined ? [] : [stepOf(one, step, parentOf(one) ?? (needsRoot ? id : undefined))]
  })
  return [
    { trace: id, steps: needsRoot ? [stepOf({ ...own, type: 'AGENT' }, id, undefined), ...steps] : steps, about: aboutOf(row) },
  ]
}
