type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

/** A value of the protocol. */
const anyValue = (value: Value): object => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return { kvlistValue: { values: keyValues(value as { readonly [key: string]: Value }) } }
}
const keyValues = (attributes: { readonly [key: string]: Value }) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

const hex = (id: number, digits: number): string => id.toString(16).padStart(digits, '0')
export const traceId = (id: number): string => hex(id, 32)
export const spanId = (id: number): string => hex(id, 16)

/** 2026-01-01T10:00:00Z, in milliseconds. */
const BEGIN = 1_767_261_600_000

export type SpanOptions = {
  readonly trace?: number
  readonly parent?: number
  readonly name?: string
  /** The start of the span, in milliseconds after `BEGIN`. */
  readonly at?: number
  readonly ms?: number
  readonly attributes?: { readonly [key: string]: Value }
  readonly events?: readonly { readonly name: string; readonly attributes?: { readonly [key: string]: Value } }[]
  readonly error?: string
}

/** A span of OTLP/JSON. The IDs of traces and spans are derived from numbers. */
export const otlpSpan = (id: number, options: SpanOptions = {}) => {
  const { trace = 1, parent, name = `span ${id}`, at = id, ms = 1, attributes = {}, events = [], error } = options
  const nanoseconds = (milliseconds: number) => `${BigInt(Math.round(milliseconds * 1000)) * 1000n}`
  return {
    traceId: traceId(trace),
    spanId: spanId(id),
    ...(parent !== undefined && { parentSpanId: spanId(parent) }),
    name,
    kind: 1,
    startTimeUnixNano: nanoseconds(BEGIN + at),
    endTimeUnixNano: nanoseconds(BEGIN + at + ms),
    attributes: keyValues(attributes),
    events: events.map((event) => ({ name: event.name, timeUnixNano: '0', attributes: keyValues(event.attributes ?? {}) })),
    status: error === undefined ? {} : { code: 2, message: error },
  }
}

/** An export request with spans. */
export const otlpRequest = (...spans: readonly object[]) => ({
  resourceSpans: [
    { resource: { attributes: keyValues({ 'service.name': 'shop' }) }, scopeSpans: [{ scope: { name: 'test' }, spans }] },
  ],
})
