import type { Given } from './answers.ts'
import type { Answer } from './data.ts'

/** What was given, by whom. */
export type Deed = Given & { readonly user: string }

/** One value of one question of one user, as the SDK gives it. */
export type Value = {
  readonly external_id: string
  readonly user: string
  readonly question: string
  readonly status: string
  readonly value: unknown
}

/** One answer as it is on the wire. */
export type WireAnswer = {
  readonly external_id: string
  readonly user: string
  readonly at: string
  readonly values: Answer
}

/** Spans lie in the order of the text, rankings in that of the ranks and then of the options. */
const stored = (answer: Answer, candidates: readonly string[]): Answer => ({
  ...answer,
  candidates: answer.candidates.toSorted((a, b) => a.rank - b.rank || candidates.indexOf(a.value) - candidates.indexOf(b.value)),
})

/** Of rankings the SDK gives the labels alone. */
export const valuesOf = ({ external_id, user, status, answer }: Deed, candidates: readonly string[]): readonly Value[] => {
  const values = stored(answer, candidates)
  const forSdk = { ...values, candidates: values.candidates.map(({ value }) => value) }
  return Object.entries(forSdk).map(([question, value]) => ({ external_id, user, question, status, value }))
}

export const onTheWire = ({ external_id, user, answer }: Deed, candidates: readonly string[]) => ({
  external_id,
  user,
  values: stored(answer, candidates),
})

/** Answers in one order: who gave them, to what. */
export const inOrder = <T extends { readonly external_id: string; readonly user: string; readonly question?: string }>(
  list: readonly T[],
): readonly T[] => {
  const place = ({ external_id, user, question = '' }: T): string => JSON.stringify([external_id, user, question])
  return list.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}

/** Records that so many people have submitted. */
export const completed = (deeds: readonly Deed[], wanted: number): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const { external_id, status } of deeds) {
    if (status === 'submitted') counts.set(external_id, (counts.get(external_id) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([id, count]) => (count >= wanted ? [id] : [])))
}

/** The team's progress and every user's, from nothing but what was done. */
export const progress = (deeds: readonly Deed[], total: number, complete: ReadonlySet<string>) => {
  const counts = (list: readonly Deed[]) => ({
    submitted: list.filter(({ status }) => status === 'submitted').length,
    draft: list.filter(({ status }) => status === 'draft').length,
    discarded: list.filter(({ status }) => status === 'discarded').length,
  })
  const ofUser = (list: readonly Deed[]) => ({
    completed: counts(list.filter(({ external_id }) => complete.has(external_id))),
    pending: counts(list.filter(({ external_id }) => !complete.has(external_id))),
  })
  const byUser = Map.groupBy(deeds, ({ user }) => user)
  return {
    total,
    completed: complete.size,
    pending: total - complete.size,
    users: Object.fromEntries([...byUser].map(([user, list]) => [user, ofUser(list)])),
  }
}
