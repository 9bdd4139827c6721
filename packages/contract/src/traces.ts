import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { jsonObject, printedUuid, text } from './wire/scalars.ts'

/** The maximum number of traces in a request. */
export const maxTraces = 500

/** An OpenTelemetry export request in the OTLP/JSON encoding. Its spans are checked when they are read. */
export const TracesBody = z.object({ resourceSpans: z.array(jsonObject()) })

export const StoredTrace = z.strictObject({
  record_id: printedUuid(),
  /** The ID of the trace. */
  external_id: z.string(),
  /** Whether the request has created the record. */
  created: z.boolean(),
  /** The number of steps that the trace has now. */
  steps: z.int(),
})
export type StoredTrace = z.infer<typeof StoredTrace>

export const storeTraces = defineEndpoint({
  id: 'traces.store',
  method: 'POST',
  path: '/datasets/:dataset_id/traces',
  query: z.object({
    /** The name of the trace field. Needed only if the dataset has several. */
    field: text({ min: 1 }).optional(),
  }),
  body: TracesBody,
  /** `partialSuccess` is part of the protocol. It is always empty, because a request is stored as a whole or refused. */
  result: z.strictObject({ partialSuccess: z.strictObject({}), items: z.array(StoredTrace) }),
  errors: [403, 404],
  addition: true,
  summary: 'Store OpenTelemetry spans: each trace becomes a record, and spans of known traces are added to their records',
})

export const traceEndpoints = [storeTraces] as const
