/**
 * A label that was split. Answers with this label are returned to their authors, because only they can choose one of the labels
 * in `into`.
 */
export type SplitLabel = { readonly from: string; readonly into: readonly string[] }

/** Changes to a question's labels that stored answers might not reflect yet. They are part of the question's settings. */
export type LabelChanges = {
  /** Labels that stay valid but are no longer offered. */
  readonly retired?: readonly string[]
  /**
   * Earlier names of renamed labels, and labels that were merged into others. They are kept forever, because answers may arrive
   * late.
   */
  readonly replaced?: readonly { readonly from: string; readonly to: string }[]
  /** Retired labels that were split into others. A submitted answer can't contain them. */
  readonly split?: readonly SplitLabel[]
}
type Settings = LabelChanges & { readonly type: string }

const maps = new WeakMap<object, ReadonlyMap<string, string>>()

/** The current label for each label that was renamed or merged into another one. */
export const replacedLabels = (settings: object): ReadonlyMap<string, string> => {
  const { replaced } = settings as Settings
  if (replaced === undefined) return new Map()
  const map = maps.get(replaced) ?? new Map(replaced.map(({ from, to }) => [from, to]))
  maps.set(replaced, map)
  return map
}

type ReplaceLabels<V> = (value: V, replace: (label: string) => string) => V

/**
 * Replaces the labels in a value. Returns the value itself if no label changes.
 * @param replaceIn the `replaceLabels` function of the question type; undefined if its answers contain no labels
 */
export const withReplacedLabels = <V>(
  value: V,
  replaceIn: ReplaceLabels<V> | undefined,
  replace: (label: string) => string,
): V => {
  let isChanged = false
  const replaced = replaceIn?.(value, (label) => {
    const next = replace(label)
    if (next !== label) isChanged = true
    return next
  })
  return replaced !== undefined && isChanged ? replaced : value
}

/**
 * Replaces earlier labels in a value with the labels that are valid now. If the value contains no earlier labels, returns the
 * same value.
 * @param replaceIn the question type's rule
 */
export const withCurrentLabels = <V>(value: V, settings: object, replaceIn: ReplaceLabels<V> | undefined): V => {
  const labels = replacedLabels(settings)
  return labels.size === 0 ? value : withReplacedLabels(value, replaceIn, (label) => labels.get(label) ?? label)
}

/**
 * Returns the split labels that a value contains, each with the labels that replace it.
 * @param replaceIn the `replaceLabels` function of the question type; undefined if its answers contain no labels
 */
export const splitLabelsIn = <V>(value: V, settings: object, replaceIn: ReplaceLabels<V> | undefined): readonly SplitLabel[] => {
  const { split } = settings as Settings
  if (split === undefined) return []
  const used = new Set<string>()
  replaceIn?.(value, (label) => {
    used.add(label)
    return label
  })
  return split.filter(({ from }) => used.has(from))
}

/**
 * The options that are offered for new answers.
 * @param isUsed whether an answer uses the option; such an option is always offered
 */
export const offeredOptions = <O extends { readonly value: string }>(
  {
    options,
    retired,
  }: {
    readonly options: readonly O[]
    readonly retired?: readonly string[] | undefined
  },
  isUsed: (value: string) => boolean = () => false,
): readonly O[] => (retired === undefined ? options : options.filter(({ value }) => !retired.includes(value) || isUsed(value)))
