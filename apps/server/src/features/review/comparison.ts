import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { comparableText } from '@postil/contract/comparable-text.ts'
import type { AnswerGroup, ComparedAnswer, ComparedQuestion, Comparison } from '@postil/contract/review.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { versionsByTime } from '#features/datasets/public.ts'
import { authorOf, goldOfRecords, printGold, type Usernames, usernamesOf, usersIn } from '#features/gold/public.ts'
import { recordScope, suggestionsOfRecord } from '#features/records/public.ts'
import { responsesOfRecords, type StoredResponse } from '#features/responses/public.ts'
import { questionRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { agreementOf } from '#question-types/agreement.ts'
import { reviewPolicy } from './policy.ts'
import { canReview, rulesOf } from './settings.ts'

type Suggested = { readonly question_no: number; readonly value: JsonValue }
type Question = Awaited<ReturnType<typeof questionRows>>[number]

/** @param names the usernames of the authors; null if the caller must not see who gave which answer */
const compareQuestion = (
  { no, name, settings }: Question,
  answers: readonly StoredResponse[],
  suggestions: readonly Suggested[],
  names: Usernames | null,
): ComparedQuestion => {
  const given = answers.flatMap(({ user_id, values }) =>
    Object.hasOwn(values, name) ? [{ user_id, value: values[name]?.value as AnswerValue }] : [],
  )
  const suggestion = suggestions.find(({ question_no }) => question_no === no)
  const suggestedKey = suggestion === undefined ? null : comparableText(suggestion.value)
  const byValue = Map.groupBy(given, ({ value }) => comparableText(value as JsonValue))
  const groups: AnswerGroup[] = [...byValue]
    .sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
    .map(([key, equal]) => ({
      value: equal[0]!.value,
      count: equal.length,
      users: names === null ? [] : equal.map(({ user_id }) => authorOf(user_id, names)),
      suggested: key === suggestedKey,
    }))
  if (suggestion !== undefined && suggestedKey !== null && !byValue.has(suggestedKey))
    groups.push({ value: suggestion.value as AnswerValue, count: 0, users: [], suggested: true })
  const agreement = agreementOf(
    settings,
    given.map(({ value }) => value),
  )
  return { name, groups, without: answers.length - given.length, agreement }
}

/** For each answered question, the index of the group of equal values that contains the answer's value. */
const placesOf = ({ values }: StoredResponse, questions: readonly ComparedQuestion[]): ComparedAnswer['groups'] =>
  Object.fromEntries(
    questions.flatMap(({ name, groups }) => {
      if (!Object.hasOwn(values, name)) return []
      const own = comparableText(values[name]?.value as JsonValue)
      return [[name, groups.findIndex(({ value }) => comparableText(value as JsonValue) === own)]]
    }),
  )

/** Compares the submitted answers of a record. @throws Problem not_found, forbidden */
export const getComparison = query(
  'review.comparison',
  async (db, { user, record_id }: { readonly user: Actor; readonly record_id: string }): Promise<Comparison> => {
    const { dataset, record } = await recordScope(db, record_id, user, { hold: false })
    if (!canReview(user, dataset)) throw forbidden()
    const [questions, responses, suggestions, golds, versionAt] = await pipeline([
      questionRows(db, dataset.id),
      responsesOfRecords(db, dataset.no, [record.seq]),
      suggestionsOfRecord(db, dataset.no, record.seq),
      goldOfRecords(db, dataset.no, [record.seq]),
      versionsByTime(db, dataset.no),
    ])
    const answers = (responses.get(record.seq) ?? []).filter(({ status }) => status === 'submitted')
    const gold = golds.get(record.seq) ?? null
    const names = await usernamesOf(db, [...answers.map(({ user_id }) => user_id), ...(gold === null ? [] : usersIn(gold))])
    const isNamed = rulesOf(dataset).names === 'shown' || reviewPolicy.seeNames(user, dataset)
    const suggested = suggestions.map(({ question_no, value_json }) => ({
      question_no,
      value: JSON.parse(value_json) as JsonValue,
    }))
    const compared = questions.map((question) => compareQuestion(question, answers, suggested, isNamed ? names : null))
    return {
      record_id: record.id,
      submitted: answers.length,
      questions: compared,
      gold: gold && printGold(gold, names, versionAt),
      answers: answers.map((answer) => ({
        id: answer.id,
        version: answer.version,
        by: isNamed ? authorOf(answer.user_id, names) : null,
        groups: placesOf(answer, compared),
      })),
    }
  },
)
