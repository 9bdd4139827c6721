import { z } from 'zod'
import { patch } from '#wire/patch.ts'
import { bool, text } from '#wire/scalars.ts'
import type { DatasetParts } from './define.ts'
import { defineQuestionType } from './define.ts'
import {
  anyInt,
  createScaleOptions,
  labelChanges,
  mergeOptions,
  refineOptions,
  ScaleOption,
  updateScaleOptions,
  visibleOptions,
} from './options.ts'
import { turnsRules } from './turns.rules.ts'

/** Programs that don't know this type read it as a span question whose spans are whole messages. */
const names = { type: z.literal('span'), postil_kind: z.literal('turns') }

const maxRoles = 20
/** The maximum length of the role of a chat message. */
const maxRoleLength = 20

const required = z.enum(['each', 'any', 'none'])
const roles = z
  .array(text({ min: 1, max: maxRoleLength }))
  .min(1)
  .max(maxRoles)
  .refine((list) => new Set(list).size === list.length, { message: 'Value error, Roles must be unique' })
  .nullable()

const Unit = z.strictObject({
  of: z.literal('turn'),
  /** The roles whose turns can have labels. Null for all. */
  roles: z.array(z.string()).nullable(),
  /** Which of these turns need a label in a submitted answer. */
  required,
  /** Whether a turn can have only one label. The opposite of `allow_overlapping`. */
  exclusive: z.boolean(),
})
const UnitCreate = z.strictObject({
  of: z.literal('turn'),
  roles: roles.default(null),
  required: required.default('each'),
  exclusive: bool().exactOptional(),
})
const UnitUpdate = z.strictObject({
  of: z.literal('turn').exactOptional(),
  roles: roles.exactOptional(),
  required: required.exactOptional(),
  exclusive: bool().exactOptional(),
})

const TurnsSettings = z.strictObject({
  ...names,
  field: z.string(),
  options: z.array(ScaleOption),
  visible_options: z.int().nullable(),
  allow_overlapping: z.boolean(),
  allow_character_annotation: z.boolean(),
  unit: Unit,
  ...labelChanges,
})
export type TurnsSettings = z.infer<typeof TurnsSettings>

/** Whether the options form a scale in the order in which they are listed. */
export const isOrdinal = ({ options }: Pick<TurnsSettings, 'options'>): boolean => options[0]?.ordinal === 'true'

/** Returns one sentence that says why the options don't fit the unit, or null if they do. */
const scaleFault = ({ options, unit }: Pick<TurnsSettings, 'options' | 'unit'>): string | null => {
  const scale = options.filter((option) => option.ordinal === 'true')
  if (scale.length === 0) return null
  if (scale.length < options.length) return '`ordinal` must be set for all options of a question, or for none'
  return unit.exclusive ? null : 'A question with `ordinal` options needs `exclusive`, because a turn has only one rating'
}

const exclusiveFault =
  '`exclusive` of `unit` and `allow_overlapping` must not be equal: one allows a single label per turn, the other several'

/**
 * Why an update may not set these roles. Null if it may. Roles can't be removed, because turns with these roles may already have
 * labels.
 */
const lostRoles = (
  stored: z.infer<typeof Unit>,
  { roles: next }: { readonly roles?: readonly string[] | null },
): string | null => {
  if (next === undefined || next === null) return null
  if (stored.roles === null) return "'roles' cannot be limited later. Send `null`, or leave it out"
  const lost = stored.roles.filter((role) => !next.includes(role))
  return lost.length === 0 ? null : `Roles can be added but not removed: ${lost.map((role) => `'${role}'`).join(', ')} must stay`
}

/** Whether the values of a field have turns: the messages of a conversation, or the steps of a trace. */
export const hasTurns = (settings: { readonly type: string }): boolean =>
  settings.type === 'chat' || ('view' in settings && settings.view === 'trace')

/** A question about turns needs a chat field or a trace field. A field can have several such questions. */
const placementFault = ({ field }: TurnsSettings, { fields }: DatasetParts): string | null => {
  const valid = fields.filter(({ settings }) => hasTurns(settings)).map(({ name }) => name)
  return valid.includes(field)
    ? null
    : `\`${field}\` is not a valid field for a question about turns: valid fields are ${valid.map((name) => `\`${name}\``).join(', ') || 'none'}`
}

export const turnsQuestion = defineQuestionType({
  kind: 'turns',
  createSettings: ({ spanOptions }) =>
    z
      .object({
        ...names,
        field: text({ min: 1, max: 200 }),
        options: createScaleOptions(1, spanOptions),
        visible_options: visibleOptions(),
        allow_overlapping: bool().exactOptional(),
        unit: UnitCreate,
      })
      .transform(({ allow_overlapping, ...settings }) => {
        const exclusive = settings.unit.exclusive ?? !(allow_overlapping ?? false)
        return {
          ...settings,
          allow_overlapping: allow_overlapping ?? !exclusive,
          allow_character_annotation: true,
          unit: { ...settings.unit, exclusive },
        }
      })
      .superRefine((settings, ctx) => {
        refineOptions(settings, ctx)
        const fault = settings.unit.exclusive === settings.allow_overlapping ? exclusiveFault : scaleFault(settings)
        if (fault === null || ctx.issues.length > 0) return
        ctx.addIssue({ code: 'custom', message: `Value error, ${fault}`, params: { type: 'value_error' }, path: ['unit'] })
      }),
  settings: TurnsSettings,
  updateSettings: patch(
    { options: updateScaleOptions, allow_overlapping: bool(), unit: UnitUpdate },
    { visible_options: anyInt },
    names,
  ),
  merge: (stored, { unit = {}, allow_overlapping, ...update }) => {
    const { of: _, ...changed } = unit
    const exclusive = changed.exclusive ?? (allow_overlapping === undefined ? stored.unit.exclusive : !allow_overlapping)
    if (exclusive === allow_overlapping) return exclusiveFault
    // Stored answers may have several labels on one turn.
    if (exclusive && !stored.unit.exclusive) return "'exclusive' cannot be turned on. Send `false`, or leave it out"
    const lost = lostRoles(stored.unit, changed)
    if (lost !== null) return lost
    const merged = mergeOptions(stored, update)
    if (typeof merged === 'string') return merged
    const scaleOf = new Map(stored.options.map(({ value, ordinal }) => [value, ordinal]))
    // If an option of the update has no `ordinal`, the stored value is kept. Programs that don't know this key leave it out.
    const options = merged.options.map((option) => {
      const known = scaleOf.get(option.value)
      return known === undefined ? option : { ...option, ordinal: known }
    })
    if (options.some((option) => option.ordinal !== scaleOf.get(option.value))) return '`ordinal` of options cannot be changed'
    const next = { ...merged, options, allow_overlapping: !exclusive, unit: { ...stored.unit, ...changed, exclusive } }
    const isReordered = options.some((option, at) => option.value !== stored.options[at]?.value)
    if (isReordered && isOrdinal(stored)) return 'The order of `ordinal` options cannot be changed'
    return scaleFault(next) ?? next
  },
  placementFault,
  rules: turnsRules,
  fixtures: {
    settings: {
      type: 'span',
      postil_kind: 'turns',
      field: 'chat',
      options: [
        { value: 'good', text: 'Good', description: null },
        { value: 'bad', text: 'Bad', description: null },
      ],
      visible_options: null,
      allow_overlapping: false,
      allow_character_annotation: true,
      unit: { of: 'turn', roles: ['assistant'], required: 'each', exclusive: true },
    },
    fields: {
      chat: [
        { role: 'user', content: 'Hi 😀' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'Bye' },
        { role: 'assistant', content: 'Bye' },
      ],
    },
    valid: [
      [
        { label: 'good', start: 5, end: 10 },
        { label: 'bad', start: 15, end: 18 },
      ],
    ],
    invalid: [
      'good',
      ['good'],
      null,
      [{ label: 'other', start: 5, end: 10 }],
      [{ label: 'good', start: 5, end: 9 }],
      [{ label: 'good', start: 5, end: 18 }],
      [{ label: 'good', start: 0, end: 4 }],
      [
        { label: 'good', start: 5, end: 10 },
        { label: 'bad', start: 5, end: 10 },
      ],
      [
        { label: 'good', start: 5, end: 10 },
        { label: 'good', start: 5, end: 10 },
      ],
    ],
    submittedInvalid: [[], [{ label: 'good', start: 15, end: 18 }]],
  },
})
