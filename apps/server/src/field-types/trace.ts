import { isTrace, stepsOf } from '@postil/contract/trace.ts'
import { isJsonObject } from '@postil/contract/wire/json.ts'
import { tokenizeInto } from '#platform/text/tokens.ts'
import { customField, visitTexts } from './custom.ts'
import { defineServerFieldType } from './define.ts'
import { stepsOfMessages } from './steps-of-messages.ts'
import { messagesIn } from './trace-messages.ts'

/** Converts conversations to traces whose steps are the messages. Other values stay unchanged. */
const asTrace = (value: unknown): unknown => {
  if (value === '') return null
  if (isTrace(value) || !(Array.isArray(value) || isJsonObject(value))) return value
  const messages = messagesIn(value)
  return messages === null ? value : { steps: stepsOfMessages(messages) }
}

/** Visits the texts of a trace that people read: names, models, errors, inputs and outputs, but not IDs and attributes. */
const visitSteps = (value: unknown, visit: (text: string) => void): void => {
  for (const { name, model, error, input, output } of stepsOf(value)) visitTexts([name, model, error, input, output], visit)
}

export const traceField = defineServerFieldType({
  ...customField,
  kind: 'trace',
  imported: asTrace,
  recognizes: isTrace,
  appendTokens: (out, value) => visitSteps(value, (text) => tokenizeInto(out, text)),
  appendTexts: (out, value) => visitSteps(value, (text) => out.push(text)),
})
