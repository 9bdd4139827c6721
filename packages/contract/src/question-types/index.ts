import type { z } from 'zod'
import type { Limits } from '#wire/limits.ts'
import { tagged } from '#wire/tagged.ts'
import type { QuestionFixtures, QuestionKind, QuestionRules, Surroundings } from './define.ts'
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

/** A slice whose own types are forgotten; sound as long as settings are handed to the slice of their own `type`. */
type Erased = {
  readonly rules: QuestionRules<QuestionSettings>
  readonly merge: (stored: QuestionSettings, update: QuestionSettingsUpdate) => QuestionSettings | string
  readonly placementFault?: (settings: QuestionSettings, surroundings: Surroundings) => string | null
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

/**
 * Stored settings after an update, or one sentence on why it is refused. Keys that the update leaves out stay.
 */
export const mergeQuestionSettings = (stored: QuestionSettings, update: QuestionSettingsUpdate): QuestionSettings | string => {
  if (update.type === stored.type) return questionType(stored.type).merge(stored, update)
  return `Question type cannot be changed: expected '${stored.type}' but got '${update.type}'`
}

/** One sentence on why a dataset cannot take a question with these settings, or null. */
export const placementFault = (settings: QuestionSettings, surroundings: Surroundings): string | null =>
  questionType(settings.type).placementFault?.(settings, surroundings) ?? null
