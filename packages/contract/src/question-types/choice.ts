import { z } from 'zod'
import { patch } from '#wire/patch.ts'
import { bool, text } from '#wire/scalars.ts'
import { choiceRules } from './choice.rules.ts'
import { type DatasetParts, defineQuestionType } from './define.ts'

/** Programs that don't know this type read it as a text question. */
const names = { type: z.literal('text'), postil_kind: z.literal('choice') }

const ChoiceSettings = z.strictObject({
  ...names,
  /** Exists because Argilla's API has this key. It has no effect: options are always shown as plain text. */
  use_markdown: z.boolean(),
  /** The field whose value lists the options of the record. */
  choose_from: z.string(),
})
export type ChoiceSettings = z.infer<typeof ChoiceSettings>

/** The field types whose values can list options. */
const listing: readonly string[] = ['text', 'custom']
/** Whether the values of a field can list options. */
export const canListOptions = (settings: { readonly type: string; readonly postil_kind?: string | undefined }): boolean =>
  // Kinds that exist only in Postil, such as traces, have a different value format, which can't list options.
  listing.includes(settings.type) && settings.postil_kind === undefined

const placementFault = ({ choose_from: field }: ChoiceSettings, { fields }: DatasetParts): string | null => {
  const valid = fields.filter(({ settings }) => canListOptions(settings)).map(({ name }) => name)
  return valid.includes(field)
    ? null
    : `\`${field}\` is not a valid field for the options of a record: valid fields are ${valid.map((name) => `\`${name}\``).join(', ') || 'none'}`
}

const sample: ChoiceSettings = { type: 'text', postil_kind: 'choice', use_markdown: false, choose_from: 'candidates' }

export const choiceQuestion = defineQuestionType({
  kind: 'choice',
  createSettings: () => z.object({ ...names, use_markdown: bool().default(false), choose_from: text({ min: 1, max: 200 }) }),
  settings: ChoiceSettings,
  updateSettings: patch({ use_markdown: bool() }, {}, names),
  // An update of the published type can contain other keys. They are ignored.
  merge: (stored, { use_markdown = stored.use_markdown }) => ({ ...stored, use_markdown }),
  placementFault,
  rules: choiceRules,
  fixtures: {
    settings: sample,
    fields: { candidates: 'Berlin\n Paris \n\nBerlin\nNew York' },
    valid: ['Berlin', 'Paris', 'New York'],
    invalid: ['London', 'berlin', '', ' Paris ', 1, null, true, ['Berlin'], { value: 'Berlin' }],
    submittedInvalid: [],
  },
})
