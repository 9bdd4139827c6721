import type { ForeignFormat } from '@postil/contract/files/foreign-formats.ts'
import { isTrace, type TraceStep } from '@postil/contract/trace.ts'
import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { langfuseParts, otlpParts, phoenixParts } from '#features/traces/public.ts'
import { stepsOfMessages } from '#field-types/steps-of-messages.ts'
import { messagesIn } from '#field-types/trace-messages.ts'
import { idIn } from './chats.ts'
import type { ForeignReader, Item, Part, Values } from './define.ts'
import { commentOf, scoreOf, unquoted } from './langfuse.ts'
import { annotationOf } from './phoenix.ts'
import { scoredStep, stepResults, withScores } from './step-scores.ts'
import { collect, metadataIn, parsed, type Result } from './trace-values.ts'
import { isFilled, isObjects, isText, restOf, textIn } from './values.ts'

/** Columns of files in which each row contains a whole trace. `TRACE` contains the trace's ID, `STEPS` contains its steps. */
export const TRACE = 'trace'
export const STEPS = 'steps'

/** A row as an object. Cells of tables contain lists and objects as JSON, or as Python prints them. */
const objectOf = (row: Values): JsonObject => {
  const object: unknown = Object.fromEntries([...row].map(([name, value]) => [name, parsed(unquoted(value))]))
  return isJsonObject(object) ? object : {}
}

const sum = (steps: readonly TraceStep[], count: (step: TraceStep) => number | undefined): number =>
  steps.reduce((total, step) => total + (count(step) ?? 0), 0)

/**
 * The metadata of a trace, by which people can filter and sort: its name, its duration in milliseconds, and its numbers of steps,
 * errors and tokens.
 */
const measures = (steps: readonly TraceStep[]): readonly Part[] => {
  const ids = new Set(steps.map(({ id }) => id))
  const root = steps.find(({ parent }) => parent === undefined || !ids.has(parent))
  const tokens = sum(steps, (step) => step.tokens?.input) + sum(steps, (step) => step.tokens?.output)
  return [
    ...(root === undefined || root.name === '' ? [] : [['name', root.name] as const]),
    [STEPS, steps.length],
    ['errors', steps.filter(({ error }) => error !== undefined).length],
    ...(root?.duration_ms === undefined ? [] : [['duration_ms', root.duration_ms] as const]),
    ...(tokens === 0 ? [] : [['tokens', tokens] as const]),
  ]
}

/** The last part with each name. */
const byName = (parts: readonly Part[]): readonly Part[] => [...new Map(parts)]

/**
 * Reads the scores and annotations of a trace, and the scores of its steps. The details of a step also contain the step's scores.
 */
const resultsIn = (row: Values, given: readonly TraceStep[]) => {
  const [scores, annotations] = [parsed(row.get('scores')), parsed(row.get('annotations'))]
  const all = isObjects(scores) ? scores : []
  const ofTrace: readonly (Result | null)[] = [
    ...all.filter((score) => scoredStep(score) === undefined).map(scoreOf),
    ...(isObjects(annotations) ? annotations.map(annotationOf) : []),
  ]
  const { steps, missing } = withScores(
    given,
    all.filter((score) => scoredStep(score) !== undefined),
  )
  return {
    steps,
    results: [...ofTrace.flatMap((one) => one ?? []), ...stepResults(steps, TRACE)],
    leftOut: missing > 0 || ofTrace.includes(null) ? [{ part: 'scores', reason: 'unsupported' as const }] : [],
  }
}

/** Reads a row with all steps of a trace. */
const readTrace = (row: Values): Item | { readonly fault: ReturnType<typeof message> } => {
  const trace: unknown = { steps: row.get(STEPS) }
  if (!isTrace(trace) || trace.steps.length === 0) return { fault: message('partMissing', { part: STEPS }) }
  const { steps, results, leftOut } = resultsIn(row, trace.steps)
  const comments = parsed(row.get('comments'))
  const found = collect(results)
  const [name, service, tags] = [row.get('name'), row.get('service'), parsed(row.get('tags'))]
  return {
    id: textIn(row.get(TRACE)),
    fields: [[TRACE, { steps }, TRACE]],
    ...found,
    comments: [...found.comments, ...(isObjects(comments) ? comments.flatMap(commentOf) : [])],
    metadata: byName([
      ...metadataIn(row.get('metadata')),
      ...measures(steps),
      ...(isText(name) && name !== '' ? [['name', name] as const] : []),
      ...(isText(service) ? [['service', service] as const] : []),
      ...(Array.isArray(tags) && tags.length > 0 ? [['tags', tags] as const] : []),
    ]),
    leftOut,
  }
}

type Parts = NonNullable<ForeignReader['parts']>
const reader = (
  format: ForeignFormat,
  partsOf: (row: JsonObject) => ReturnType<Parts>,
  recognizes: ForeignReader['recognizes'],
): ForeignReader => ({ format, recognizes, parts: (row) => partsOf(objectOf(row)), read: readTrace })

/** Reads OpenTelemetry requests in OTLP/JSON encoding, as the OpenTelemetry Collector writes them to files. */
export const otlp = reader('otlp', otlpParts, (rows) =>
  rows.every((row) => Array.isArray(row.get('resourceSpans')) || Array.isArray(row.get('scopeSpans'))),
)

const some = (row: Values, names: readonly string[]): boolean => names.some((name) => isFilled(row.get(name)))
const hasObservations = (row: Values): boolean => {
  const list = parsed(row.get('observations'))
  return isObjects(list) && list.length > 0
}

/** Traces of Langfuse. Each row is a trace with its observations, or a single observation. */
export const langfuseTraces = reader(
  'langfuse_traces',
  langfuseParts,
  (rows) =>
    (rows.every((row) => row.has('id') && row.has('observations')) && rows.some(hasObservations)) ||
    (rows.every((row) => some(row, ['traceId', 'trace_id']) && some(row, ['startTime', 'start_time']) && row.has('id')) &&
      rows.some((row) => some(row, ['parentObservationId', 'parent_observation_id']))),
)

const contextOf = (row: Values): JsonObject => {
  const context = parsed(row.get('context'))
  return isJsonObject(context) ? context : {}
}

/** Spans of Phoenix. At least one span must be part of another span. */
export const phoenixTraces = reader(
  'phoenix_traces',
  phoenixParts,
  (rows) =>
    rows.every((row) => isFilled(row.get('context.trace_id') ?? contextOf(row)['trace_id'])) &&
    rows.some((row) => isFilled(row.get('parent_id'))),
)

/** Conversations with tool calls, read as traces with steps. Files are read in this way only on request. */
export const messageTraces: ForeignReader = {
  format: 'message_traces',
  recognizes: () => false,
  read: (row) => {
    const messages = messagesIn(objectOf(row)['messages'] ?? objectOf(row)['input'])
    if (messages === null) return { fault: message('partMissing', { part: 'messages' }) }
    const steps = stepsOfMessages(messages)
    return {
      ...idIn(row, ['id', 'custom_id']),
      fields: [[TRACE, { steps }, TRACE]],
      metadata: byName([...restOf(row, ['id', 'custom_id', 'messages', 'input']), [STEPS, steps.length]]),
    }
  },
}
