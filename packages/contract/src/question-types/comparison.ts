import { z } from 'zod'
import { jsonEquals } from '#wire/json.ts'
import { patch } from '#wire/patch.ts'
import { bool, text } from '#wire/scalars.ts'
import { comparisonRules } from './comparison.rules.ts'
import { type DatasetParts, defineQuestionType } from './define.ts'
import { anyInt, createOptions, mergeOptions, Option, refineUnique, updateOptions } from './options.ts'

/** Programs that don't know this type read it as a label question. */
const names = { type: z.literal('label_selection'), postil_kind: z.literal('comparison') }

const value = text({ min: 1, max: 200 })

const Compared = z.strictObject({
  /** Maps the value of each option that prefers a field to the name of this field. */
  options: z.record(z.string(), z.string()),
  /** The options that say that a field is much better: none, or one for each field. */
  strong: z.array(z.string()),
  /** Whether each person sees the fields in a random order. On a given record, a person's order stays the same. */
  swap: z.boolean(),
  /** The option for two equally good fields, or null. */
  ties: z.string().nullable(),
  /** The option for two bad fields, or null. */
  both_bad: z.string().nullable(),
})
export type Compared = z.infer<typeof Compared>

const ComparedCreate = z.object({
  options: z.record(value, text({ min: 1, max: 200 })),
  strong: z.array(value).default([]),
  swap: bool().default(true),
  ties: value.nullish().transform((option): string | null => option ?? null),
  both_bad: value.nullish().transform((option): string | null => option ?? null),
})

const ComparedUpdate = z.object({
  options: z.record(z.string(), z.string()).exactOptional(),
  strong: z.array(z.string()).exactOptional(),
  swap: bool().exactOptional(),
  ties: z.string().nullable().exactOptional(),
  both_bad: z.string().nullable().exactOptional(),
})

const ComparisonSettings = z.strictObject({ ...names, options: z.array(Option), visible_options: z.null(), compare: Compared })
export type ComparisonSettings = z.infer<typeof ComparisonSettings>

const minOptions = 2
/** Two options for each field, one for a tie, and one for the case that both fields are bad. */
const maxOptions = 6
const maxPerField = 2

/** The reason why `compare` does not fit the options, as one sentence, or null. */
const comparedFault = ({ options, compare }: Pick<ComparisonSettings, 'options' | 'compare'>): string | null => {
  const preferring = Object.keys(compare.options)
  const assigned = [...preferring, ...[compare.ties, compare.both_bad].filter((option) => option !== null)]
  const values = new Set(options.map((option) => option.value))
  const unknown = assigned.find((option) => !values.has(option))
  if (unknown !== undefined) return `\`compare\` contains '${unknown}', which is not the value of an option`
  const twice = assigned.find((option, at) => assigned.indexOf(option) !== at)
  if (twice !== undefined) return `\`compare\` contains the option '${twice}' twice`
  const open = options.find((option) => !assigned.includes(option.value))
  if (open !== undefined) return `\`compare\` does not contain the option '${open.value}'`
  const counts = Map.groupBy(Object.values(compare.options), (field) => field)
  const [first, second, ...others] = [...counts.values()].map(({ length }) => length)
  if (first === undefined || second === undefined || others.length > 0)
    return `The options of \`compare\` must prefer two different fields, but they prefer ${counts.size}`
  if (first !== second) return '`compare` must contain the same number of options for each field'
  if (first > maxPerField) return `\`compare\` can contain at most ${maxPerField} options for each field`
  const strong = compare.strong.map((option) => (Object.hasOwn(compare.options, option) ? compare.options[option] : undefined))
  const isFitting = strong.length === 2 * (first - 1) && !strong.includes(undefined) && new Set(strong).size === strong.length
  if (isFitting) return null
  return first === 1
    ? '`strong` of `compare` must be empty, because each field has only one option'
    : '`strong` of `compare` must contain one option for each field'
}

/** Checks that the dataset has the compared fields. */
const placementFault = ({ compare }: ComparisonSettings, { fields }: DatasetParts): string | null => {
  const known = fields.map(({ name }) => name)
  const unknown = Object.values(compare.options).find((field) => !known.includes(field))
  return unknown === undefined
    ? null
    : `\`${unknown}\` is not a field of the dataset: its fields are ${known.map((name) => `\`${name}\``).join(', ') || 'none'}`
}

export const comparisonQuestion = defineQuestionType({
  kind: 'comparison',
  createSettings: () =>
    z
      .object({
        ...names,
        options: createOptions(minOptions, maxOptions),
        visible_options: z.null().default(null),
        compare: ComparedCreate,
      })
      .superRefine((settings, ctx) => {
        refineUnique(settings, ctx)
        const fault = comparedFault(settings)
        if (fault === null || ctx.issues.length > 0) return
        ctx.addIssue({ code: 'custom', message: `Value error, ${fault}`, params: { type: 'value_error' }, path: ['compare'] })
      }),
  settings: ComparisonSettings,
  updateSettings: patch({ options: updateOptions, compare: ComparedUpdate }, { visible_options: anyInt }, names),
  merge: (stored, { compare = {}, options }) => {
    const { swap = stored.compare.swap, ...fixed } = compare
    // Stored answers refer to the options and their fields, so these can't be changed.
    if (!jsonEquals({ ...stored.compare, ...fixed, swap }, { ...stored.compare, swap }))
      return 'Only `swap` of `compare` can be changed'
    const merged = mergeOptions(stored, options === undefined ? {} : { options })
    return typeof merged === 'string' ? merged : { ...merged, compare: { ...stored.compare, swap } }
  },
  placementFault,
  rules: comparisonRules,
  fixtures: {
    settings: {
      type: 'label_selection',
      postil_kind: 'comparison',
      options: [
        { value: 'a', text: 'The first response', description: null },
        { value: 'tie', text: 'Equally good', description: null },
        { value: 'b', text: 'The second response', description: null },
      ],
      visible_options: null,
      compare: { options: { a: 'text', b: 'other' }, strong: [], swap: true, ties: 'tie', both_bad: null },
    },
    fields: { text: 'one', other: 'two' },
    valid: ['a', 'b', 'tie'],
    invalid: ['maybe', '', 1, ['a'], null, true],
    submittedInvalid: [],
  },
})
