/** Changes to a question's labels that stored answers may not reflect yet. They are part of the question's settings. */
export type LabelChanges = {
  /** Labels that stay valid but are no longer offered. */
  readonly retired?: readonly string[]
  /** Earlier names of labels and labels that were merged into others. They are kept forever, because answers may arrive late. */
  readonly replaced?: readonly { readonly from: string; readonly to: string }[]
}
type Settings = LabelChanges & { readonly type: string }

const maps = new WeakMap<object, ReadonlyMap<string, string>>()

/** Today's label for each label that was renamed or merged into another one. */
export const replacedLabels = (settings: object): ReadonlyMap<string, string> => {
  const { replaced } = settings as Settings
  if (replaced === undefined) return new Map()
  const map = maps.get(replaced) ?? new Map(replaced.map(({ from, to }) => [from, to]))
  maps.set(replaced, map)
  return map
}

/** The options that are offered for new answers. @param isUsed whether an answer uses the option, which is then offered in any case */
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
