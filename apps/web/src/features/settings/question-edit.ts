import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import type { Question, QuestionUpdate } from '@postil/contract/questions.ts'
import { settingsSlice } from '#question-types/settings-registry.ts'
import type { SettingsCalls } from './api.ts'
import { changesOf } from './merge.ts'

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

/** The settings to send where the server has `stored` ones: those that differ, and what must come along. */
export const settingsUpdate = (stored: Question['settings'], value: Question['settings']): QuestionUpdate['settings'] => {
  const printed = (settings: Question['settings']) => settingsSlice(value.type).update(settings as SettingsOf<QuestionKind>)
  const whole = printed(value)
  if (!whole) return undefined
  const changed = changesOf(printed(stored) ?? whole, whole)
  const isNeeded = ([key, one]: readonly [string, unknown]): boolean =>
    // Overlaps, once allowed, have to be allowed again with each update.
    key === 'type' || key in changed || (key === 'allow_overlapping' && one === true)
  return Object.fromEntries(Object.entries(whole).filter(isNeeded)) as QuestionUpdate['settings']
}

/** A question as it is stored by now; undefined where it is gone. */
export const readQuestion = async (calls: SettingsCalls, id: string): Promise<QuestionEdit | undefined> => {
  const [questions, colours] = await Promise.all([calls.readQuestions(), calls.readColours()])
  const question = questions.find((one) => one.id === id)
  return question && questionEdit(question, colours.get(id) ?? new Map())
}

/** Stores what of a question differs from what is stored. */
export const sendQuestion = async (
  calls: SettingsCalls,
  id: string,
  stored: QuestionEdit,
  value: QuestionEdit,
): Promise<void> => {
  const changed = changesOf(stored, value)
  if (changed.hues) await calls.updateColours(id, new Map(Object.entries(changed.hues)))
  const settings = changed.settings && settingsUpdate(stored.settings, changed.settings)
  const body: QuestionUpdate = {
    ...(changed.title !== undefined && { title: changed.title }),
    ...(changed.description !== undefined && { description: changed.description || null }),
    ...(settings && { settings }),
  }
  if (Object.keys(body).length > 0) await calls.updateQuestion(id, body)
}
