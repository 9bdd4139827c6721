import type { TraceStep } from '@postil/contract/trace.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { type Attributes, flattened } from './attributes.ts'
import { type SpanEvent, stepOfSpan } from './span.ts'

/** The spans of one trace in a request. `about`: values that describe the whole trace, such as its name or tags. */
export type TracePart = { readonly trace: string; readonly steps: readonly TraceStep[]; readonly about: JsonObject }

/** The maximum depth of attribute values. */
const MAX_DEPTH = 50

const listAt = (object: JsonObject, key: string): readonly JsonValue[] => {
  const value = object[key]
  return Array.isArray(value) ? value : []
}

/** Reads a value in the encoding of the protocol: an object with one key, which names the value's type. */
const anyValue = (value: JsonValue | undefined, depth = 0): JsonValue => {
  if (!isJsonObject(value) || depth > MAX_DEPTH) return null
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value
  if (intValue !== undefined) {
    const number = Number(intValue)
    return Number.isSafeInteger(number) ? number : String(intValue)
  }
  if (doubleValue !== undefined) return typeof doubleValue === 'number' ? doubleValue : String(doubleValue)
  if (isJsonObject(arrayValue)) return listAt(arrayValue, 'values').map((item) => anyValue(item, depth + 1))
  if (isJsonObject(kvlistValue)) return Object.fromEntries(keyValues(listAt(kvlistValue, 'values'), depth + 1))
  return stringValue ?? boolValue ?? bytesValue ?? null
}

const keyValues = (list: readonly JsonValue[], depth = 0): readonly [string, JsonValue][] =>
  list.flatMap((item): [string, JsonValue][] =>
    isJsonObject(item) && typeof item['key'] === 'string' ? [[item['key'], anyValue(item['value'], depth)]] : [],
  )

const attributesOf = (object: JsonObject): Attributes => new Map(keyValues(listAt(object, 'attributes')))

/**
 * Returns an ID as hexadecimal digits. Accepts hexadecimal digits, and base64, which some programs send. Undefined for other
 * values.
 */
const idOf = (value: JsonValue | undefined, bytes: number): string | undefined => {
  if (typeof value !== 'string') return undefined
  if (value.length === bytes * 2 && /^[0-9a-f]+$/i.test(value)) return value.toLowerCase()
  const decoded = /^[0-9A-Za-z+/]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0)
  return decoded.length === bytes ? decoded.toString('hex') : undefined
}

const isZero = (id: string): boolean => /^0+$/.test(id)

/**
 * Reads nanoseconds since the epoch. They are usually sent as strings, because JSON numbers can't represent integers this large
 * exactly.
 */
const nanoseconds = (value: JsonValue | undefined): bigint | undefined => {
  const text = typeof value === 'number' ? BigInt(Math.trunc(Math.max(value, 0))).toString() : value
  return typeof text === 'string' && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined
}

const errorOf = (status: JsonValue | undefined): string | undefined => {
  if (!isJsonObject(status)) return undefined
  const { code, message: text } = status
  if (code !== 2 && code !== 'STATUS_CODE_ERROR') return undefined
  return typeof text === 'string' ? text : ''
}

const eventsOf = (span: JsonObject): readonly SpanEvent[] =>
  listAt(span, 'events').flatMap((event) =>
    isJsonObject(event) && typeof event['name'] === 'string'
      ? [{ name: event['name'], attributes: new Map(flattened(Object.fromEntries(attributesOf(event)))) }]
      : [],
  )

type Read = { readonly trace: string; readonly step: TraceStep } | { readonly fault: Reason }

/** @param path where the span is in the request, for errors */
const readSpan = (span: JsonValue, path: string): Read => {
  if (!isJsonObject(span)) return { fault: message('partMissing', { part: path }) }
  const trace = idOf(span['traceId'], 16)
  const id = idOf(span['spanId'], 8)
  if (trace === undefined || isZero(trace)) return { fault: message('otlpId', { part: `${path}.traceId`, digits: 32 }) }
  if (id === undefined || isZero(id)) return { fault: message('otlpId', { part: `${path}.spanId`, digits: 16 }) }
  const above = span['parentSpanId']
  const isRoot = above === undefined || above === null || above === ''
  const parent = isRoot ? undefined : idOf(above, 8)
  if (!isRoot && parent === undefined) return { fault: message('otlpId', { part: `${path}.parentSpanId`, digits: 16 }) }
  const step = stepOfSpan({
    id,
    parent: parent === undefined || isZero(parent) ? undefined : parent,
    name: typeof span['name'] === 'string' ? span['name'] : '',
    start: nanoseconds(span['startTimeUnixNano']),
    end: nanoseconds(span['endTimeUnixNano']),
    attributes: attributesOf(span),
    events: eventsOf(span),
    error: errorOf(span['status']),
  })
  return { trace, step }
}

/** The name of the service that sent the spans. */
const serviceOf = (resource: JsonValue | undefined): JsonObject => {
  const service = isJsonObject(resource) ? attributesOf(resource).get('service.name') : undefined
  return typeof service === 'string' && service !== '' ? { service } : {}
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)

type SentSpan = { readonly span: JsonValue; readonly path: string; readonly about: JsonObject }

/** Returns the spans in a request, each with its path in the request, or the reason why the request can't be read. */
const spansIn = (resources: readonly JsonValue[], prefix: string): readonly SentSpan[] | { readonly fault: Reason } => {
  const found: SentSpan[] = []
  for (const [i, resource] of resources.entries()) {
    const path = prefix === '' ? '' : `${prefix}[${i}].`
    if (!isJsonObject(resource) || !isList(resource['scopeSpans'] ?? []))
      return { fault: message('partMissing', { part: `${path}scopeSpans` }) }
    const about = serviceOf(resource['resource'])
    for (const [j, scope] of listAt(resource, 'scopeSpans').entries()) {
      const place = `${path}scopeSpans[${j}].spans`
      if (!isJsonObject(scope) || !isList(scope['spans'] ?? [])) return { fault: message('partMissing', { part: place }) }
      found.push(...listAt(scope, 'spans').map((span, k) => ({ span, path: `${place}[${k}]`, about })))
    }
  }
  return found
}

/**
 * Reads an OpenTelemetry export request in OTLP/JSON encoding and groups its spans by trace.
 * @param sent the request, or an item of its `resourceSpans`
 * @returns the parts in the order of their first spans, or the reason why the request can't be read
 */
export const otlpParts = (sent: JsonObject): readonly TracePart[] | { readonly fault: Reason } => {
  const { resourceSpans, scopeSpans } = sent
  if (!isList(resourceSpans) && !isList(scopeSpans)) return { fault: message('partMissing', { part: 'resourceSpans' }) }
  const spans = isList(resourceSpans) ? spansIn(resourceSpans, 'resourceSpans') : spansIn([sent], '')
  if ('fault' in spans) return spans
  const traces = new Map<string, { readonly steps: TraceStep[]; readonly about: JsonObject }>()
  for (const { span, path, about } of spans) {
    const read = readSpan(span, path)
    if ('fault' in read) return read
    const known = traces.get(read.trace) ?? { steps: [], about }
    known.steps.push(read.step)
    traces.set(read.trace, known)
  }
  return [...traces].map(([trace, { steps, about }]) => ({ trace, steps, about }))
}
