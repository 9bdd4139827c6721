import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import type { Question, QuestionUpdate } from '@postil/contract/questions.ts'
import { settingsSlice } from '#question-types/settings-registry.ts'
import type { SettingsCalls } from './api.ts'
import { changesOf, merge } from './merge.ts'

export type QuestionEdit = {
  readonly title: string
  readonly description: string
  readonly settings: Question['settings']
  /** Hues that were chosen for its labels. */
  readonly hues: { readonly [value: string]: number }
}

export const questionEdit = (question: Question, hues: ReadonlyMap<string, number>): QuestionEdit => ({
  title: question.title,
  description: question.description ?? '',
  settings: question.settings,
  hues: Object.fromEntries(hues),
})

/** The settings to send where the server has `fresh` ones: those that this person changed, and what must come along. */
export const settingsUpdate = (
  fresh: Question['settings'],
  base: Question['settings'],
  mine: Question['settings'],
): QuestionUpdate['settings'] => {
  const printed = (settings: Question['settings']) => settingsSlice(mine.type).update(settings as SettingsOf<QuestionKind>)
  const whole = printed(merge(base, mine, fresh))
  if (!whole) return undefined
  const changed = changesOf(printed(base) ?? whole, printed(mine) ?? whole)
  const isNeeded = ([key, value]: readonly [string, unknown]): boolean =>
    // Overlaps, once allowed, have to be allowed again with each update.
    key === 'type' || key in changed || (key === 'allow_overlapping' && value === true)
  return Object.fromEntries(Object.entries(whole).filter(isNeeded)) as QuestionUpdate['settings']
}

/** Stores what a person changed of a question, and nothing else: others may have changed the rest since `stored` was read. */
export const sendQuestion = async (
  calls: SettingsCalls,
  id: string,
  stored: QuestionEdit,
  value: QuestionEdit,
): Promise<void> => {
  const changed = changesOf(stored, value)
  if (changed.hues) {
    const fresh = (await calls.readColours()).get(id) ?? new Map<string, number>()
    const hues = merge(stored.hues, changed.hues, Object.fromEntries(fresh))
    await calls.updateColours(id, new Map(Object.entries(hues)))
  }
  const fresh = changed.settings && (await calls.readQuestions()).find((question) => question.id === id)
  const settings = changed.settings && settingsUpdate((fresh ?? stored).settings, stored.settings, changed.settings)
  const body: QuestionUpdate = {
    ...(changed.title !== undefined && { title: changed.title.trim() }),
    ...(changed.description !== undefined && { description: changed.description.trim() || null }),
    ...(settings && { settings }),
  }
  if (Object.keys(body).length > 0) await calls.updateQuestion(id, body)
}
