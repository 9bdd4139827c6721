import { type ConditionMetadata, hiddenQuestions } from '@postil/contract/conditions.ts'
import type { Question } from '@postil/contract/questions.ts'
import { formatList } from '#i18n/format.ts'
import { translate } from '#i18n/texts.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import { announce, lastAnnouncement } from '#ui/feedback/announcer.ts'

/* This module is only loaded for datasets with conditions. */

const kept = new WeakMap<readonly Question[], Map<string, readonly Question[]>>()

/** See `shownQuestions`. Equal results are the same array, so that they can be compared by identity. */
export const shownAmong = (
  questions: readonly Question[],
  answers: Answers,
  metadata: ConditionMetadata | undefined,
): readonly Question[] => {
  const names = new Set(questions.map(({ name }) => name))
  const hidden = hiddenQuestions(questions, answers, metadata, (name) => !names.has(name))
  if (hidden.size === 0) return questions
  const lists = kept.get(questions) ?? new Map<string, readonly Question[]>()
  kept.set(questions, lists)
  const key = JSON.stringify([...hidden])
  const list = lists.get(key) ?? questions.filter(({ name }) => !hidden.has(name))
  lists.set(key, list)
  return list
}

let last: { readonly id: string | null; readonly shown: readonly Question[] } = { id: null, shown: [] }

/** See `announceShown`. */
export const announceNew = (id: string | null, shown: readonly Question[]): void => {
  const before = last
  last = { id, shown }
  const isSame = id !== null && before.id === id && before.shown.length > 0
  const added = isSame ? shown.filter((question) => !before.shown.includes(question)) : []
  if (added.length === 0) return
  const titles = formatList(
    added.map(({ title }) => title),
    true,
  )
  const text = translate('features/annotate:question.appeared', { title: titles })
  // Screen readers read only the last announcement that is made in a task of the event loop. The user's answer was announced
  // earlier in this task, so that announcement is repeated here.
  const earlier = lastAnnouncement()
  announce(earlier === null ? text : `${earlier}. ${text}`)
}
