import type { Answer, Answers, Draft } from './draft.ts'

/** What a tab knew to be on the device, and what it wants there; null is nothing. */
type Turn<T> = { readonly seen: T | null; readonly now: T | null }

/**
 * What one tab did to the kept edits of a record. It names the questions that this tab has edits of, or had, and no others: another
 * tab may have edits of the same record.
 */
export type Edit = Omit<Draft, 'answers' | 'base_version'> & {
  readonly answers: ReadonlyMap<string, Turn<Answer>>
  /** `seen` is undefined where this tab knew of no edits. */
  readonly base_version: { readonly seen: Draft['base_version'] | undefined; readonly now: Draft['base_version'] }
}

const none: Answers = {}
const answerIn = (answers: Answers, question: string): Answer | null =>
  Object.hasOwn(answers, question) ? (answers[question] ?? null) : null
const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The way from what a tab had of a record's edits to what it has; null where it has none, before and after. */
export const editBetween = (before: Draft | null, after: Draft | null): Edit | null => {
  const draft = after ?? before
  if (!draft) return null
  const seenAnswers = before?.answers ?? none
  const nowAnswers = after?.answers ?? none
  const turns = Object.keys({ ...seenAnswers, ...nowAnswers }).map((question): readonly [string, Turn<Answer>] => [
    question,
    { seen: answerIn(seenAnswers, question), now: answerIn(nowAnswers, question) },
  ])
  return {
    ...draft,
    answers: new Map(turns),
    base_version: { seen: before?.base_version, now: draft.base_version },
  }
}

/** Two edits of one tab as one. */
export const followedBy = (first: Edit | null | undefined, then: Edit): Edit => {
  if (!first) return then
  const answers = new Map(first.answers)
  for (const [question, { seen, now }] of then.answers) {
    const before = first.answers.get(question)
    answers.set(question, { seen: before ? before.seen : seen, now })
  }
  return { ...then, answers, base_version: { seen: first.base_version.seen, now: then.base_version.now } }
}

/** The part of an edit that takes answers away, or the part that brings some. */
export const partOf = (edit: Edit, part: 'removals' | 'additions'): Edit => ({
  ...edit,
  answers: new Map([...edit.answers].filter(([, { now }]) => (now === null) === (part === 'removals'))),
})

/**
 * What is kept after an edit. Of each question the last edit counts: what a tab still shows, and has not touched, is in nobody's way, and
 * what it is done with goes only where it is still what that tab saw. Edits of others stay built upon the version that they were made
 * from, so that a save shows both.
 */
export const edited = (draft: Draft | null, { answers, base_version, ...edit }: Edit): Draft | null => {
  const kept = new Map(Object.entries(draft?.answers ?? none))
  for (const [question, { seen, now }] of answers) {
    if (now && same(seen, now)) kept.set(question, kept.get(question) ?? now)
    else if (now) kept.set(question, now)
    else if (same(kept.get(question) ?? null, seen)) kept.delete(question)
  }
  if (kept.size === 0) return null
  const base = draft && draft.base_version !== base_version.seen ? draft.base_version : base_version.now
  return { ...edit, answers: Object.fromEntries(kept), base_version: base }
}
