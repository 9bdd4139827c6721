import type { z } from 'zod'
import type { Limits } from '#wire/limits.ts'
import { tagged } from '#wire/tagged.ts'
import type { DatasetParts, QuestionFixtures, QuestionKind, QuestionRules } from './define.ts'
import { questionKinds } from './define.ts'
import { labelSelectionQuestion } from './label_selection.ts'
import { multiLabelSelectionQuestion } from './multi_label_selection.ts'
import { rankingQuestion } from './ranking.ts'
import { ratingQuestion } from './rating.ts'
import { spanQuestion } from './span.ts'
import { textQuestion } from './text.ts'

type AnySlice<K extends QuestionKind> = { readonly kind: K; readonly settings: z.ZodType<{ readonly type: K }> }

export const questionTypes = {
  text: textQuestion,
  rating: ratingQuestion,
  label_selection: labelSelectionQuestion,
  multi_label_selection: multiLabelSelectionQuestion,
  ranking: rankingQuestion,
  span: spanQuestion,
} as const satisfies { readonly [K in QuestionKind]: AnySlice<K> }

type Slices = typeof questionTypes
export type QuestionSettings = z.output<Slices[QuestionKind]['settings']>
export type SettingsOf<K extends QuestionKind> = z.output<Slices[K]['settings']>
export type QuestionSettingsUpdate = z.output<Slices[QuestionKind]['updateSettings']>

/** A question type with its generic types erased. Safe as long as it only gets settings of its own `type`. */
type Erased = {
  readonly rules: QuestionRules<QuestionSettings>
  readonly merge: (stored: QuestionSettings, update: QuestionSettingsUpdate) => QuestionSettings | string
  readonly placementFault?: (settings: QuestionSettings, parts: DatasetParts) => string | null
  readonly fixtures: QuestionFixtures<QuestionSettings>
  readonly createSettings: (limits: Limits) => z.ZodType<QuestionSettings>
  readonly updateSettings: z.ZodType<QuestionSettingsUpdate>
}
export const questionType = (kind: QuestionKind): Erased => questionTypes[kind] as unknown as Erased

export const QuestionSettings = tagged(
  'type',
  questionKinds.map((kind) => questionTypes[kind].settings),
)
export const QuestionSettingsCreate = (limits: Limits) =>
  tagged(
    'type',
    questionKinds.map((kind) => questionTypes[kind].createSettings(limits)),
  )
export const QuestionSettingsUpdate = tagged(
  'type',
  questionKinds.map((kind) => questionTypes[kind].updateSettings),
)

/** The settings after an update, or one sentence on why it is refused. Omitted keys are unchanged. */
export const mergeQuestionSettings = (stored: QuestionSettings, update: QuestionSettingsUpdate): QuestionSettings | string => {
  if (update.type === stored.type) return questionType(stored.type).merge(stored, update)
  return `Question type cannot be changed: expected '${stored.type}' but got '${update.type}'`
}

/** One sentence on why a dataset can't have a question with these settings, or null. */
export const placementFault = (settings: QuestionSettings, parts: DatasetParts): string | null =>
  questionType(settings.type).placementFault?.(settings, parts) ?? null
