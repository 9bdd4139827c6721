import type { GivenAnswer } from './answers.ts'
import type { Answer } from './data.ts'

/** An answer and its author. */
export type ExpectedAnswer = GivenAnswer & { readonly user: string }

/** One user's value for one question, as the SDK returns it. */
export type Value = {
  readonly external_id: string
  readonly user: string
  readonly question: string
  readonly status: string
  readonly value: unknown
}

/** An answer in wire format. */
export type WireAnswer = {
  readonly external_id: string
  readonly user: string
  readonly at: string
  readonly values: Answer
}

/** Spans are stored in text order. Rankings are ordered by rank, then by option. */
const toStoredValue = (answer: Answer, candidates: readonly string[]): Answer => ({
  ...answer,
  candidates: answer.candidates.toSorted((a, b) => a.rank - b.rank || candidates.indexOf(a.value) - candidates.indexOf(b.value)),
})

/**
 * The values of an answer as the SDK returns them, one for each question. A ranking is the list of its options in stored order.
 */
export const valuesOf = (
  { external_id, user, status, answer }: ExpectedAnswer,
  candidates: readonly string[],
): readonly Value[] => {
  const values = toStoredValue(answer, candidates)
  const forSdk = { ...values, candidates: values.candidates.map(({ value }) => value) }
  return Object.entries(forSdk).map(([question, value]) => ({ external_id, user, question, status, value }))
}

export const toWireAnswer = ({ external_id, user, answer }: ExpectedAnswer, candidates: readonly string[]) => ({
  external_id,
  user,
  values: toStoredValue(answer, candidates),
})

export const inOrder = <T extends { readonly external_id: string; readonly user: string; readonly question?: string }>(
  list: readonly T[],
): readonly T[] => {
  const place = ({ external_id, user, question = '' }: T): string => JSON.stringify([external_id, user, question])
  return list.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}

/** The external IDs of the records that have enough submitted answers. */
export const completed = (expectedAnswers: readonly ExpectedAnswer[], sorted: number): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const { external_id, status } of expectedAnswers) {
    if (status === 'submitted') counts.set(external_id, (counts.get(external_id) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([id, count]) => (count >= sorted ? [id] : [])))
}

/** Computes the progress of the team and of every user from the answers alone. */
export const progress = (expectedAnswers: readonly ExpectedAnswer[], total: number, complete: ReadonlySet<string>) => {
  const counts = (list: readonly ExpectedAnswer[]) => ({
    submitted: list.filter(({ status }) => status === 'submitted').length,
    draft: list.filter(({ status }) => status === 'draft').length,
    discarded: list.filter(({ status }) => status === 'discarded').length,
  })
  const ofUser = (list: readonly ExpectedAnswer[]) => ({
    completed: counts(list.filter(({ external_id }) => complete.has(external_id))),
    pending: counts(list.filter(({ external_id }) => !complete.has(external_id))),
  })
  const byUser = Map.groupBy(expectedAnswers, ({ user }) => user)
  return {
    total,
    completed: complete.size,
    pending: total - complete.size,
    users: Object.fromEntries([...byUser].map(([user, list]) => [user, ofUser(list)])),
  }
}
