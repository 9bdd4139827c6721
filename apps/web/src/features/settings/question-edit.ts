import type { Condition } from '@postil/contract/conditions.ts'
import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import type { Question, QuestionUpdate } from '@postil/contract/questions.ts'
import { settingsSlice } from '#question-types/settings-registry.ts'
import type { SettingsCalls } from './api.ts'
import { changesOf } from './merge.ts'

type QuestionEdit = {
  readonly title: string
  readonly description: string
  readonly settings: Question['settings']
  /** The condition under which the question is shown. Null if it is always shown. */
  readonly shown_when: Condition | null
  /** Hues chosen for the question's labels. */
  readonly hues: { readonly [value: string]: number }
}

export const questionEdit = (question: Question, hues: ReadonlyMap<string, number>): QuestionEdit => ({
  title: question.title,
  description: question.description ?? '',
  settings: question.settings,
  shown_when: question.shown_when ?? null,
  hues: Object.fromEntries(hues),
})

/** Returns the settings to send: those that differ from the `stored` settings, and those that every update must include. */
export const settingsUpdate = (stored: Question['settings'], value: Question['settings']): QuestionUpdate['settings'] => {
  const printed = (settings: Question['settings']) => settingsSlice(value).update(settings as SettingsOf<QuestionKind>)
  const whole = printed(value)
  if (!whole) return undefined
  const changed = changesOf(printed(stored) ?? whole, whole)
  const isNeeded = ([key, one]: readonly [string, unknown]): boolean =>
    // The kind is always sent, because it determines which settings can be sent.
    key === 'type' ||
    key === 'postil_kind' ||
    key in changed ||
    // If overlaps are allowed, the server requires `true` in each update, because overlaps can't be turned off.
    (key === 'allow_overlapping' && one === true)
  return Object.fromEntries(Object.entries(whole).filter(isNeeded)) as QuestionUpdate['settings']
}

/** Reads the question's current stored state; undefined if it was deleted. */
export const readQuestion = async (calls: SettingsCalls, id: string): Promise<QuestionEdit | undefined> => {
  const [questions, colours] = await Promise.all([calls.readQuestions(), calls.readColours()])
  const question = questions.find((one) => one.id === id)
  return question && questionEdit(question, colours.get(id) ?? new Map())
}

/** Stores the parts of a question that differ from the stored state. */
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
    ...(changed.shown_when !== undefined && { shown_when: value.shown_when }),
  }
  if (Object.keys(body).length > 0) await calls.updateQuestion(id, body)
}
