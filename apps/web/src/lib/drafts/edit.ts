import type { Answer, Answers, Draft } from './draft.ts'

/** The value that a tab last saw on the device, and the value that it wants to store there. Null means no value. */
type Change<T> = { readonly previous: T | null; readonly next: T | null }

/**
 * One tab's changes to a record's stored edits. Contains only questions for which this tab has or had edits, because another
 * tab may have edits of the same record.
 */
export type Edit = Omit<Draft, 'answers' | 'base_version'> & {
  readonly answers: ReadonlyMap<string, Change<Answer>>
  /** `previous` is undefined if this tab had seen no edits. */
  readonly base_version: { readonly previous: Draft['base_version'] | undefined; readonly next: Draft['base_version'] }
}

const noAnswers: Answers = {}
const answerIn = (answers: Answers, question: string): Answer | null =>
  Object.hasOwn(answers, question) ? (answers[question] ?? null) : null
const isSameValue = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/**
 * Returns how a change affects a tab's edits of a record. Null if the tab had no edits of the record before the change and has
 * none after it.
 */
export const diffDrafts = (before: Draft | null, after: Draft | null): Edit | null => {
  const draft = after ?? before
  if (!draft) return null
  const seenAnswers = before?.answers ?? noAnswers
  const nowAnswers = after?.answers ?? noAnswers
  const changes = Object.keys({ ...seenAnswers, ...nowAnswers }).map((question): readonly [string, Change<Answer>] => [
    question,
    { previous: answerIn(seenAnswers, question), next: answerIn(nowAnswers, question) },
  ])
  return {
    ...draft,
    answers: new Map(changes),
    base_version: { previous: before?.base_version, next: draft.base_version },
  }
}

/** Combines two edits of one tab into one. */
export const mergeEdits = (first: Edit | null | undefined, then: Edit): Edit => {
  if (!first) return then
  const answers = new Map(first.answers)
  for (const [question, { previous, next }] of then.answers) {
    const before = first.answers.get(question)
    answers.set(question, { previous: before ? before.previous : previous, next })
  }
  return { ...then, answers, base_version: { previous: first.base_version.previous, next: then.base_version.next } }
}

/** Returns the part of an edit that removes answers, or the part that adds them. */
export const pickPart = (edit: Edit, part: 'removals' | 'additions'): Edit => ({
  ...edit,
  answers: new Map([...edit.answers].filter(([, { next }]) => (next === null) === (part === 'removals'))),
})

/**
 * Applies an edit to the stored edits and returns the result. For each question, the last edit wins. A value that the tab
 * hasn't changed never overrides a stored one. A value is removed only if it is still the one that the tab saw. Other tabs'
 * edits keep their base version, so that saving detects a conflict.
 */
export const applyEdit = (draft: Draft | null, { answers, base_version, ...edit }: Edit): Draft | null => {
  const kept = new Map(Object.entries(draft?.answers ?? noAnswers))
  for (const [question, { previous, next }] of answers) {
    if (next && isSameValue(previous, next)) kept.set(question, kept.get(question) ?? next)
    else if (next) kept.set(question, next)
    else if (isSameValue(kept.get(question) ?? null, previous)) kept.delete(question)
  }
  if (kept.size === 0) return null
  const base = draft && draft.base_version !== base_version.previous ? draft.base_version : base_version.next
  return { ...edit, answers: Object.fromEntries(kept), base_version: base }
}
