import { z } from 'zod'
import { int, text } from '#wire/scalars.ts'
import { treeFault } from './label-tree.ts'

/** An option with a display text, for label, ranking and span questions. */
export const Option = z.strictObject({
  value: z.string(),
  text: z.string(),
  description: z.string().nullable(),
  /**
   * The option above this one in the tree of labels. Omitted at the top, so that options without a tree look as in Argilla's API.
   */
  parent: z.string().exactOptional(),
})
export type Option = z.infer<typeof Option>

/** See `LabelChanges`. If there are no changes, the keys are omitted, so that the settings look as in Argilla's API. */
export const labelChanges = {
  retired: z.array(z.string()).exactOptional(),
  replaced: z.array(z.strictObject({ from: z.string(), to: z.string() })).exactOptional(),
  split: z.array(z.strictObject({ from: z.string(), into: z.array(z.string()) })).exactOptional(),
}

const description = (schema: z.ZodType<string, string>) => schema.nullish().transform((value): string | null => value ?? null)

const OptionCreate = z.object({
  value: text({ min: 1, max: 200 }),
  text: text({ min: 1, max: 500 }),
  description: description(text({ min: 1, max: 1000 })),
})
const TreeOptionCreate = OptionCreate.extend({ parent: text({ min: 1, max: 200 }).nullish() }).transform(
  ({ parent, ...option }): Option => (parent == null ? option : { ...option, parent }),
)
/** Length limits apply at creation only. In an update, the text may even be empty. */
const OptionUpdate = z.object({ value: text(), text: text(), description: description(text()) })
/**
 * If the parent is null, the option moves to the top level. Clients that don't support label trees omit the parent. The option
 * then keeps its place.
 */
const TreeOptionUpdate = OptionUpdate.extend({ parent: text().nullable().exactOptional() })
type OptionUpdate = z.infer<typeof TreeOptionUpdate>

/**
 * `ordinal` marks the options of a scale. Its value is a string, because clients of Argilla's API keep additional keys only if
 * their values are strings.
 */
const ordinal = { ordinal: z.literal('true').exactOptional() }
/** An option that can be a part of a scale. */
export const ScaleOption = Option.extend(ordinal)
export type ScaleOption = z.infer<typeof ScaleOption>

const hasDuplicates = (options: readonly { readonly value: string | number }[]) =>
  new Set(options.map((option) => option.value)).size < options.length

/**
 * Checks that the options have distinct values. As in Argilla's API, the problem is reported for the settings, not for the
 * options.
 */
export const refineUnique = (
  { options }: { readonly options: readonly { readonly value: string | number }[] },
  ctx: z.core.$RefinementCtx<unknown>,
) => {
  if (hasDuplicates(options))
    ctx.addIssue({ code: 'custom', message: 'Value error, Option values must be unique', params: { type: 'value_error' } })
}

export const createOptions = (min: number, max: number) => z.array(OptionCreate).min(min).max(max)
/** Options that can form a tree. */
export const createTreeOptions = (min: number, max: number) => z.array(TreeOptionCreate).min(min).max(max)
export const updateOptions = z.array(OptionUpdate)
export const updateTreeOptions = z.array(TreeOptionUpdate)
/** Options that can be a scale. */
export const createScaleOptions = (min: number, max: number) => z.array(OptionCreate.extend(ordinal)).min(min).max(max)
export const updateScaleOptions = z.array(OptionUpdate.extend(ordinal))

export const minVisibleOptions = 3
/** Accepts any integer, because an update is checked together with the stored options. */
export const anyInt = int()
export const visibleOptions = () =>
  int({ ge: minVisibleOptions })
    .nullish()
    .transform((value): number | null => value ?? null)

type Choosable = { readonly options: readonly Option[]; readonly visible_options: number | null }
const visibleFault = ({ options, visible_options }: Choosable): string | null => {
  if (visible_options === null) return null
  if (visible_options < minVisibleOptions) return `The value for 'visible_options' must be at least ${minVisibleOptions}`
  if (visible_options > options.length) {
    return `The value for 'visible_options' must be less or equal to the number of items in 'options' (${options.length})`
  }
  return null
}

/** Checks the options, their tree and the number of visible ones, and reports the first problem. */
export const refineOptions = (settings: Choosable, ctx: z.core.$RefinementCtx<unknown>) => {
  if (hasDuplicates(settings.options)) return refineUnique(settings, ctx)
  const fault = visibleFault(settings) ?? treeFault(settings.options)
  if (fault !== null)
    ctx.addIssue({ code: 'custom', message: `Value error, ${fault}`, params: { type: 'value_error' }, input: settings })
}

const sameValues = (a: readonly Option[], b: readonly OptionUpdate[]): boolean => {
  const values = new Set(b.map((option) => option.value))
  return a.length === b.length && values.size === b.length && a.every((option) => values.has(option.value))
}

/** The options after an update. The update must contain the same values as the stored options. */
const updatedOptions = (stored: readonly Option[], update: readonly OptionUpdate[]): Option[] => {
  const parents = new Map(stored.map(({ value, parent }) => [value, parent]))
  return update.map(({ parent: sent, ...option }) => {
    const parent = sent === undefined ? parents.get(option.value) : sent
    return parent == null ? option : { ...option, parent }
  })
}

/**
 * Applies an update to the settings. The update can change the order, texts or tree of the options, and the number of visible
 * options.
 * @returns the new settings, or one sentence that says why the update is refused
 */
export const mergeOptions = <S extends Choosable>(
  stored: S,
  update: { readonly options?: readonly OptionUpdate[]; readonly visible_options?: number | null },
): S | string => {
  if (update.options && !sameValues(stored.options, update.options)) {
    return `Options cannot be added or removed: the option values must stay ${stored.options.map((o) => `'${o.value}'`).join(', ')}`
  }
  const merged = {
    ...stored,
    ...(update.options && { options: updatedOptions(stored.options, update.options) }),
    ...(update.visible_options !== undefined && { visible_options: update.visible_options }),
  }
  return visibleFault(merged) ?? treeFault(merged.options) ?? merged
}
