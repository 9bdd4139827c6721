import { answerSizeFault } from '@postil/contract/answer-size.ts'
import { type ConditionMetadata, hiddenQuestions, shownValues } from '@postil/contract/conditions.ts'
import { maxRationale } from '@postil/contract/model-runs.ts'
import { checkAnswerValue } from '@postil/contract/question-types/index.ts'
import type { SuggestionScore } from '@postil/contract/suggestions.ts'
import { isJsonObject } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { ReadAnswer } from '#question-types/model-form.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import type { ModelReply, TokenProbability } from '../client.ts'
import { type PropertyRange, propertyRanges, type Range } from './json-ranges.ts'
import { type PromptRecord, type PromptSource, rationaleKey } from './prompt.ts'
import type { StoredResults } from './setup.ts'

export type Answered = { readonly values: StoredResults; readonly rationale: string | null }
type AnswerFault = { readonly fault: Reason; readonly isRefusal: boolean }

const WORDS = 300
const FENCE = '```'

/** The range of the JSON in an answer. Some models wrap the JSON in a code block. */
const bodyOf = (text: string): Range => {
  const trimmed = text.trim()
  const isFenced = trimmed.length > 2 * FENCE.length && trimmed.startsWith(FENCE) && trimmed.endsWith(FENCE)
  if (!isFenced) return { start: 0, end: text.length }
  const start = text.indexOf(FENCE) + FENCE.length
  const end = text.lastIndexOf(FENCE)
  return { start: text.startsWith('json', start) ? start + 'json'.length : start, end }
}

/** The joint probability of the tokens that a range of the text consists of. */
const probabilityOf = (tokens: readonly TokenProbability[], { start, end }: Range): number => {
  let at = 0
  let sum = 0
  for (const { token, logprob } of tokens) {
    if (at < end && at + token.length > start) sum += logprob
    at += token.length
  }
  return Math.min(1, Math.exp(sum))
}

/**
 * The probability of a value, or of each item of a list. Null if the endpoint returned no probabilities, or if their tokens don't
 * match the text.
 */
const scoreOf = (
  { text, logprobs }: ModelReply,
  { value, from }: ReadAnswer,
  range: PropertyRange | undefined,
  offset: number,
): SuggestionScore | null => {
  if (logprobs === null || range === undefined || logprobs.map(({ token }) => token).join('') !== text) return null
  const moved = ({ start, end }: Range): Range => ({ start: start + offset, end: end + offset })
  if (from === null) return probabilityOf(logprobs, moved(range))
  const ranges = from.map((i) => range.items[i])
  if ((value as readonly unknown[]).length === 0 || ranges.includes(undefined)) return null
  return ranges.map((one) => probabilityOf(logprobs, moved(one!)))
}

const storable = (text: string): string => Array.from(text.toWellFormed().replaceAll('\0', '')).slice(0, maxRationale).join('')

const parse = (text: string): { readonly [key: string]: unknown } | null => {
  try {
    const parsed: unknown = JSON.parse(text)
    return isJsonObject(parsed) ? parsed : null
  } catch {
    return null
  }
}

/**
 * Returns the questions that are hidden, given these values and this metadata. A condition on the answer to a question that the
 * run doesn't ask counts as fulfilled.
 */
export const hiddenIn = (
  { questions }: Pick<PromptSource, 'questions'>,
  values: StoredResults,
  metadata: ConditionMetadata,
): ReadonlySet<string> => hiddenQuestions(questions, values, metadata, (name) => questions.every((one) => one.name !== name))

/**
 * Reads a model's answer to the questions of a run. Only values that a person could submit are accepted. Values of questions that
 * are hidden for this answer are left out.
 * @param maxAnswer maximum size of a value in bytes
 */
export const readAnswer = (
  reply: ModelReply,
  source: Pick<PromptSource, 'questions'>,
  { fields, metadata }: Pick<PromptRecord, 'fields' | 'metadata'>,
  maxAnswer: number,
): Answered | AnswerFault => {
  const { text, refusal, isCut } = reply
  if (text === null) {
    const words = Array.from(refusal ?? '')
      .slice(0, WORDS)
      .join('')
    return { fault: refusal === null ? message('modelNoText') : message('modelRefused', { words }), isRefusal: refusal !== null }
  }
  const body = bodyOf(text)
  const json = text.slice(body.start, body.end)
  const answers = parse(json)
  if (answers === null) return { fault: message(isCut ? 'modelCut' : 'modelNotJson'), isRefusal: false }
  const ranges = reply.logprobs === null ? new Map<string, PropertyRange>() : propertyRanges(json)
  const values: { [question: string]: StoredResults[string] } = {}
  for (const { name, settings } of source.questions) {
    if (hiddenIn(source, values, metadata).has(name)) continue
    const read = serverQuestionType(settings).model.read(answers[name], settings, fields)
    if (read === null) return { fault: message('modelNoValue', { question: name }), isRefusal: false }
    const fault = checkAnswerValue(read.value, { settings, submitted: true, fields }) ?? answerSizeFault(read.value, maxAnswer)
    if (fault !== null) return { fault: message('modelInvalid', { question: name }, fault), isRefusal: false }
    const score = scoreOf(reply, read, ranges.get(name), body.start)
    values[name] = { value: read.value, score, unmatched: read.unmatched }
  }
  const reasons = answers[rationaleKey(source.questions)]
  return { values, rationale: typeof reasons === 'string' ? storable(reasons) : null }
}

/**
 * The most frequent value of each question, with the share of all samples that have this value. In a tie, the value that occurs
 * first in the samples wins. Values of questions that are hidden for the result are left out.
 */
export const combineSamples = (
  samples: readonly Answered[],
  count: number,
  source: Pick<PromptSource, 'questions'>,
  { metadata }: Pick<PromptRecord, 'metadata'>,
): Answered => {
  const [first] = samples
  if (first === undefined) throw new Error('no samples to combine')
  if (count === 1) return first
  const names = new Set(samples.flatMap(({ values }) => Object.keys(values)))
  const values = [...names].map((question): [string, StoredResults[string]] => {
    const given = samples.flatMap((sample) => sample.values[question] ?? [])
    const keys = given.map(({ value }) => JSON.stringify(value))
    const votes = (key: string): number => keys.filter((one) => one === key).length
    const best = keys.reduce((found, key) => (votes(key) > votes(found) ? key : found))
    const { value, unmatched } = given[keys.indexOf(best)]!
    const share = (item: unknown): number => {
      const key = JSON.stringify(item)
      return given.filter((one) => (one.value as readonly unknown[]).some((each) => JSON.stringify(each) === key)).length / count
    }
    const scores = Array.isArray(value) ? value.map(share) : votes(best) / count
    const score = Array.isArray(scores) && scores.length === 0 ? null : scores
    return [question, { value, score, unmatched }]
  })
  const combined = Object.fromEntries(values)
  return { values: shownValues(combined, hiddenIn(source, combined, metadata)), rationale: first.rationale }
}
