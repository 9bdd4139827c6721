import { type AnswerForm, answerFormOf } from '#question-types/answer-form.ts'
import type { QuestionSettings } from '#question-types/index.ts'

/** Formats for training models, and formats of other annotation programs. A file contains the answers to one question. */
export const trainingFormats = ['conll', 'spacy', 'doccano', 'prodigy', 'openai', 'dpo', 'kto'] as const
export type TrainingFormat = (typeof trainingFormats)[number]
export const isTrainingFormat = (format: string): format is TrainingFormat =>
  (trainingFormats as readonly string[]).includes(format)

type Asked = { readonly name: string; readonly settings: QuestionSettings }
type Named = { readonly name: string; readonly title: string }

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

const optionsOf = (settings: QuestionSettings): readonly { readonly value: string; readonly text: string }[] =>
  'options' in settings ? settings.options.flatMap((one) => ('text' in one ? [one] : [])) : []

/**
 * Maps the value of each option to the field that the option stands for. A comparison question names these fields in its
 * settings. In other questions, an option stands for a field in these cases:
 * - The option equals the name or the title of the field.
 * - The name of the field ends with the option, as in `response_a` and `A`.
 *
 * The map is empty if fewer than two options stand for fields, or if several options stand for the same field.
 */
export const comparedFields = ({ settings }: Asked, fields: readonly Named[]): ReadonlyMap<string, string> => {
  if ('compare' in settings) return new Map(Object.entries(settings.compare.options))
  if (!['label', 'order'].includes(answerFormOf(settings))) return new Map()
  const found = new Map<string, string>()
  for (const { value, text } of optionsOf(settings)) {
    const names = [plain(value), plain(text)].filter((name) => name !== '')
    const field =
      fields.find(({ name, title }) => names.includes(plain(name)) || names.includes(plain(title))) ??
      fields.find(({ name }) => names.some((end) => plain(name).endsWith(`_${end}`)))
    if (field !== undefined) found.set(value, field.name)
  }
  return found.size >= 2 && new Set(found.values()).size === found.size ? found : new Map()
}

const GOOD = ['yes', 'true', 'good', 'positive', 'correct', 'desirable', 'accept', 'accepted', 'up', 'thumbs_up', 'like', '1']
const BAD = [
  'no',
  'false',
  'bad',
  'negative',
  'incorrect',
  'undesirable',
  'reject',
  'rejected',
  'down',
  'thumbs_down',
  'dislike',
  '0',
]

/** Which options of a label question say that a completion is good (true) or bad (false). Empty unless both kinds exist. */
export const judgedOptions = ({ settings }: Asked): ReadonlyMap<string, boolean> => {
  if (answerFormOf(settings) !== 'label') return new Map()
  const judged = new Map<string, boolean>()
  for (const { value, text } of optionsOf(settings)) {
    const names = [plain(value), plain(text)]
    if (names.some((name) => GOOD.includes(name))) judged.set(value, true)
    else if (names.some((name) => BAD.includes(name))) judged.set(value, false)
  }
  const sides = new Set(judged.values())
  return sides.size === 2 ? judged : new Map()
}

const holds =
  (...forms: readonly AnswerForm[]) =>
  ({ settings }: Asked): boolean =>
    forms.includes(answerFormOf(settings))

const fits: { readonly [F in TrainingFormat]: (question: Asked, fields: readonly Named[]) => boolean } = {
  conll: holds('spans'),
  spacy: holds('spans'),
  doccano: holds('spans', 'label', 'labels', 'number', 'text'),
  prodigy: holds('spans', 'label', 'labels', 'number', 'text'),
  openai: () => true,
  dpo: (question, fields) => comparedFields(question, fields).size > 0,
  kto: (question, fields) => judgedOptions(question).size > 0 || comparedFields(question, fields).size > 0,
}

/** The questions whose answers a format can hold. */
export const questionsFor = <Q extends Asked>(
  format: TrainingFormat,
  questions: readonly Q[],
  fields: readonly Named[],
): readonly Q[] => questions.filter((question) => fits[format](question, fields))
