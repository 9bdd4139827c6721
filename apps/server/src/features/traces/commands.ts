import { isTrace, maxSteps, type TraceStep } from '@postil/contract/trace.ts'
import type { StoredTrace } from '@postil/contract/traces.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { isJsonObject, type JsonObject, jsonEquals } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { lockedRecords, openDataset, packRecords, prepareRecord, type Schema, upsertValid } from '#features/records/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { command } from '#platform/db/operations.ts'
import { mergeSteps } from './convert/merge.ts'
import type { TracePart } from './convert/otlp.ts'

/** Maximum size of a trace, in characters when serialized as JSON. Records with larger traces load slowly. */
const MAX_TRACE = 8_000_000

type Args = {
  readonly user: Actor
  readonly dataset_id: string
  /** Null for the only trace field of the dataset. */
  readonly field: string | null
  readonly parts: readonly TracePart[]
}

/**
 * The field that traces are stored in. @throws Problem unprocessable if there is no trace field, no trace field with this name,
 * or more than one trace field but no name
 */
const fieldFor = (schema: Schema, name: string | null): string => {
  const fields = schema.fields.filter(({ settings }) => 'view' in settings && settings.view === 'trace').map((one) => one.name)
  const [only] = fields
  if (only === undefined) throw unprocessable(message('noTraceField'))
  if (name === null && fields.length > 1)
    throw unprocessable(message('severalTraceFields', { fields: fields.map((one) => `\`${one}\``).join(', ') }))
  if (name !== null && !fields.includes(name)) throw unprocessable(message('notATraceField', { field: name }))
  return name ?? only
}

const fieldsIn = (json: string | null): JsonObject => {
  const fields: unknown = json === null ? {} : JSON.parse(json)
  return isJsonObject(fields) ? fields : {}
}

/** Adds steps to a stored trace. Keeps the other keys of the trace. */
const merged = (stored: unknown, steps: readonly TraceStep[]): JsonObject => {
  const before = isTrace(stored) ? stored : { steps: [] }
  const value: unknown = { ...before, ...mergeSteps(before.steps, steps) }
  return isJsonObject(value) ? value : {}
}

const refuse = (trace: string, reason: Reason) => unprocessable(message('traceRefused', { trace }, reason))

/**
 * Adds spans to the records of their traces, and creates the missing records. Stores either all spans or none. Records whose
 * traces already have the spans don't change. @throws Problem not_found, forbidden, unprocessable
 */
export const storeTraces = command('traces.store', async (db, args: Args): Promise<readonly StoredTrace[]> => {
  const { user, dataset_id, parts } = args
  // Blocks other requests that add records. Otherwise, two requests with the same trace could overwrite each other's spans.
  const { dataset, schema } = await openDataset(db, { user, dataset_id })
  const field = fieldFor(schema, args.field)
  const find = await lockedRecords(
    db,
    dataset.no,
    parts.map(({ trace }) => trace),
  )
  const traces = parts.map(({ trace, steps }) => {
    const stored = find(trace)
    const before = fieldsIn(stored?.fields_json ?? null)[field] ?? null
    const value = merged(before, steps)
    const count = Array.isArray(value['steps']) ? value['steps'].length : 0
    if (count > maxSteps) throw refuse(trace, message('traceTooLong', { limit: maxSteps }))
    const isChanged = stored === null || !jsonEquals(before, value)
    if (isChanged && JSON.stringify(value).length > MAX_TRACE) throw refuse(trace, message('traceTooLarge', { limit: MAX_TRACE }))
    return { trace, stored, value, count, isChanged }
  })
  const changed = traces.filter(({ isChanged }) => isChanged)
  const items = changed.map(({ trace, value }) => prepareRecord({ external_id: trace, fields: { [field]: value } }))
  const provided = { fields: new Set([field]), metadata: new Set<string>() }
  const written =
    items.length === 0
      ? { refused: [], records: [] }
      : await upsertValid(
          db,
          { user, dataset_id, packed: packRecords(items) },
          { mustBeNew: () => false, providedBy: () => provided },
        )
  const [refused] = written.refused
  if (refused !== undefined) throw refuse(refused.item.external_id ?? '', refused.reason)
  const ids = new Map(changed.map(({ trace }, i) => [trace, written.records[i]?.id]))
  return traces.map(({ trace, stored, count }) => ({
    record_id: stored?.id ?? ids.get(trace) ?? '',
    external_id: trace,
    created: stored === null,
    steps: count,
  }))
})
