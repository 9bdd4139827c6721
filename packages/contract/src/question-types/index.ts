import type { z } from 'zod'
import type { AnswerValue } from '#answer-value.ts'
import { type KindNames, kindFault, kindIn } from '#wire/kinds.ts'
import type { Limits } from '#wire/limits.ts'
import type { Reason } from '#wire/message.ts'
import { tagged } from '#wire/tagged.ts'
import { choiceQuestion } from './choice.ts'
import { comparisonQuestion } from './comparison.ts'
import type { CheckOptions, DatasetParts, QuestionFixtures, QuestionRules } from './define.ts'
import { labelSelectionQuestion } from './label_selection.ts'
import { type SplitLabel, splitLabelsIn, withCurrentLabels, withReplacedLabels } from './label-changes.ts'
import { multiLabelSelectionQuestion } from './multi_label_selection.ts'
import { rankingQuestion } from './ranking.ts'
import { ratingQuestion } from './rating.ts'
import { spanQuestion } from './span.ts'
import { textQuestion } from './text.ts'
import { turnsQuestion } from './turns.ts'

/** Every question type, keyed by kind. The other lists of the project are derived from this one. */
export const questionTypes = {
  text: textQuestion,
  rating: ratingQuestion,
  label_selection: labelSelectionQuestion,
  multi_label_selection: multiLabelSelectionQuestion,
  ranking: rankingQuestion,
  span: spanQuestion,
  comparison: comparisonQuestion,
  turns: turnsQuestion,
  choice: choiceQuestion,
} as const

type Slices = typeof questionTypes
export type QuestionKind = keyof Slices
export const questionKinds = Object.keys(questionTypes) as [QuestionKind, ...QuestionKind[]]

export type QuestionSettings = z.output<Slices[QuestionKind]['settings']>
export type SettingsOf<K extends QuestionKind> = z.output<Slices[K]['settings']>
export type QuestionSettingsUpdate = z.output<Slices[QuestionKind]['updateSettings']>

/** A question type with its generic types erased. Safe as long as it only gets settings of its own kind. */
type Erased = {
  readonly rules: QuestionRules<QuestionSettings>
  readonly merge: (stored: QuestionSettings, update: QuestionSettingsUpdate) => QuestionSettings | string
  readonly placementFault?: (settings: QuestionSettings, parts: DatasetParts) => string | null
  readonly fixtures: QuestionFixtures<QuestionSettings>
  readonly createSettings: (limits: Limits) => z.ZodType<QuestionSettings>
  readonly updateSettings: z.ZodType<QuestionSettingsUpdate>
}
/** Returns the question type of a kind. */
export const questionType = (kind: QuestionKind): Erased => questionTypes[kind] as unknown as Erased
/** Returns the question type that the settings specify. */
export const questionTypeOf = (settings: KindNames): Erased => questionType(kindIn(questionTypes, settings))

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
export const mergeQuestionSettings = (stored: QuestionSettings, update: QuestionSettingsUpdate): QuestionSettings | string =>
  kindFault('Question', stored, update) ?? questionTypeOf(stored).merge(stored, update)

/** One sentence on why a dataset can't have a question with these settings, or null. */
export const placementFault = (settings: QuestionSettings, parts: DatasetParts): string | null =>
  questionTypeOf(settings).placementFault?.(settings, parts) ?? null

/** The value with the current labels, for clients that don't know yet that labels were renamed or merged. */
export const currentAnswerValue = (value: AnswerValue, settings: QuestionSettings): AnswerValue =>
  withCurrentLabels(value, settings, questionTypeOf(settings).rules.replaceLabels)

/**
 * Replaces the labels of a value. Returns the value itself if no label changes, or if the question's answers don't consist of
 * labels.
 */
export const replaceLabels = (value: AnswerValue, settings: QuestionSettings, replace: (label: string) => string): AnswerValue =>
  withReplacedLabels(value, questionTypeOf(settings).rules.replaceLabels, replace)

/** Returns those labels of a value that have been split. A submitted answer can't contain these labels. */
export const splitLabelsOf = (value: AnswerValue, settings: QuestionSettings): readonly SplitLabel[] =>
  splitLabelsIn(value, settings, questionTypeOf(settings).rules.replaceLabels)

/** Why a value is invalid for a question with these settings, or null. Earlier names of renamed or merged labels are valid. */
export const checkAnswerValue = (value: AnswerValue, options: CheckOptions<QuestionSettings>): Reason | null =>
  questionTypeOf(options.settings).rules.check(currentAnswerValue(value, options.settings), options)
