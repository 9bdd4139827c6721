import { answerSizeFault } from '@postil/contract/answer-size.ts'
import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import { createRecordsWith, updateRecordWith, upsertRecordsWith } from '@postil/contract/records.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import type { Message } from '@postil/contract/wire/message.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import { bodyParser, checkBody } from '#platform/http/bodies/body-parsers.ts'
import { parseJson } from '#platform/http/bodies/json-body.ts'
import { prepareBulk } from './bulk-pipeline.ts'
import { packRecords } from './pack.ts'
import { prepareRecord, prepareUpdate } from './prepare.ts'

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

type Answered = {
  readonly responses?: readonly { readonly values?: AnswerValues | null | undefined }[] | null | undefined
  readonly suggestions?: readonly { readonly value: AnswerValue }[] | null | undefined
}

/** The reason why a record's answers or suggestions are too large, or null. */
const sizeFault = ({ responses, suggestions }: Answered, { answerBytes }: Limits): Message | null => {
  for (const { values } of responses ?? []) {
    const fault = answerSizeFault(values, answerBytes)
    if (fault !== null) return fault
  }
  for (const { value } of suggestions ?? []) {
    const fault = answerSizeFault(value, answerBytes)
    if (fault !== null) return fault
  }
  return null
}

/** @throws Problem unprocessable at the first record with an answer or suggestion that is too large */
const checkSizes = <T extends Answered>(items: T[], limits: Limits): T[] => {
  for (const [position, item] of items.entries()) {
    const fault = sizeFault(item, limits)
    if (fault !== null) throw unprocessable(`Record at position ${position} is not valid because ${renderMessage(fault)}`)
  }
  return items
}

export const createBody = bodyParser('records.bulk_create', (bytes, limits) => {
  const { items } = checkBody(createSchema(limits), parseJson(bytes))
  return prepareBulk(checkSizes(items, limits).map(prepareRecord), bytes.byteLength)
})
export const upsertBody = bodyParser('records.bulk_upsert', (bytes, limits) => {
  const { items } = checkBody(upsertSchema(limits), parseJson(bytes))
  return prepareBulk(checkSizes(items, limits).map(prepareRecord), bytes.byteLength)
})
export const updateBody = bodyParser('records.update', (bytes, limits) => {
  const body = checkBody(updateSchema(limits), parseJson(bytes))
  const fault = sizeFault(body, limits)
  if (fault !== null) throw unprocessable(`Record is not valid because ${renderMessage(fault)}`)
  return packRecords([prepareUpdate(body)])
})
