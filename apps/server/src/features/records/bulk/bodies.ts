import { createRecordsWith, updateRecordWith, upsertRecordsWith } from '@postil/contract/records.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { bodyParser, checkBody } from '#platform/http/bodies/body-parsers.ts'
import { parseJson } from '#platform/http/bodies/json-body.ts'
import { packRecords } from './pack.ts'
import { prepareRecord, prepareUpdate } from './prepare.ts'
import { prepareBulk } from './prepared-bulk.ts'

/** Caches the schemas, which depend only on the current limits. */
const cachedByLimits = <T>(make: (limits: Limits) => T): ((limits: Limits) => T) => {
  const made = new WeakMap<Limits, T>()
  return (limits) => {
    const schema = made.get(limits) ?? make(limits)
    made.set(limits, schema)
    return schema
  }
}

const createSchema = cachedByLimits((limits) => createRecordsWith(limits).body)
const upsertSchema = cachedByLimits((limits) => upsertRecordsWith(limits).body)
const updateSchema = cachedByLimits((limits) => updateRecordWith(limits).body)

export const createBody = bodyParser('records.bulk_create', (bytes, limits) =>
  prepareBulk(checkBody(createSchema(limits), parseJson(bytes)).items.map(prepareRecord), bytes.byteLength),
)
export const upsertBody = bodyParser('records.bulk_upsert', (bytes, limits) =>
  prepareBulk(checkBody(upsertSchema(limits), parseJson(bytes)).items.map(prepareRecord), bytes.byteLength),
)
export const updateBody = bodyParser('records.update', (bytes, limits) =>
  packRecords([prepareUpdate(checkBody(updateSchema(limits), parseJson(bytes)))]),
)
