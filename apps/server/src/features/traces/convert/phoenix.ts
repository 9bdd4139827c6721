import { isJsonObject, type JsonObject, type JsonValue } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { parsedJson } from '#field-types/parsed-json.ts'
import { flattened } from './attributes.ts'
import { isoNanoseconds } from './iso-time.ts'
import type { TracePart } from './otlp.ts'
import { type SpanEvent, stepOfSpan } from './span.ts'

const textIn = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const eventsOf = (sent: JsonValue | undefined): readonly SpanEvent[] => {
  const list = parsedJson(sent ?? null)
  if (!Array.isArray(list)) return []
  return list.flatMap((event: JsonValue) =>
    isJsonObject(event) && typeof event['name'] === 'string'
      ? [{ name: event['name'], attributes: new Map(isJsonObject(event['attributes']) ? flattened(event['attributes']) : []) }]
      : [],
  )
}

const PREFIX = 'attributes.'

/**
 * Reads a span as Phoenix exports it: through its API, or as a table row whose columns have names like `attributes.input.value`.
 */
export const phoenixParts = (row: JsonObject): readonly TracePart[] | { readonly fault: Reason } => {
  const span = new Map(flattened(Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'attributes'))))
  const trace = textIn(span.get('context.trace_id')) ?? textIn(span.get('trace_id'))
  const id = textIn(span.get('context.span_id')) ?? textIn(span.get('span_id'))
  if (trace === undefined) return { fault: message('partMissing', { part: 'context.trace_id' }) }
  if (id === undefined) return { fault: message('partMissing', { part: 'context.span_id' }) }
  const sent = parsedJson(row['attributes'] ?? null)
  const attributes = new Map([
    ...(isJsonObject(sent) ? flattened(sent) : []),
    ...[...span].flatMap(([key, value]): [string, JsonValue][] =>
      key.startsWith(PREFIX) && value !== null ? [[key.slice(PREFIX.length), value]] : [],
    ),
  ])
  const kind = textIn(span.get('span_kind'))
  if (kind !== undefined && !attributes.has('openinference.span.kind')) attributes.set('openinference.span.kind', kind)
  const failed = span.get('status_code') === 'ERROR'
  const step = stepOfSpan({
    id,
    parent: textIn(span.get('parent_id')),
    name: textIn(span.get('name')) ?? '',
    start: isoNanoseconds(span.get('start_time')),
    end: isoNanoseconds(span.get('end_time')),
    attributes,
    events: eventsOf(row['events']),
    error: failed ? (textIn(span.get('status_message')) ?? '') : undefined,
  })
  const annotations = parsedJson(row['annotations'] ?? null)
  if (!Array.isArray(annotations) || annotations.length === 0) return [{ trace, steps: [step], about: {} }]
  // Annotations on the root span apply to the whole trace.
  if (step.parent === undefined) return [{ trace, steps: [step], about: { annotations } }]
  return [{ trace, steps: [{ ...step, attributes: { ...step.attributes, annotations } }], about: {} }]
}
