/** An answer in an editor: the value, and the part of it that is only suggested so far. */
export type SinglePick<V> = { readonly value: V | null; readonly suggested: V | null }
type MultiPick<V> = { readonly value: readonly V[] | null; readonly suggested: readonly V[] | null }

/** Picks one option. The first press on a suggested option accepts it, the next one clears it. */
export const pickOne = <V>({ value, suggested }: SinglePick<V>, picked: V): SinglePick<V> => ({
  value: value === picked && suggested !== picked ? null : picked,
  suggested: null,
})

const emptyToNull = <V>(list: readonly V[]): readonly V[] | null => (list.length === 0 ? null : list)

/** Toggles one of several options. If the option was suggested, accepts it instead. Other options stay unchanged. */
export const pickMany = <V>({ value, suggested }: MultiPick<V>, picked: V): MultiPick<V> => {
  const on = value ?? []
  const rest = (suggested ?? []).filter((one) => one !== picked)
  if (suggested?.includes(picked)) return { value: on, suggested: emptyToNull(rest) }
  return {
    value: emptyToNull(on.includes(picked) ? on.filter((one) => one !== picked) : [...on, picked]),
    suggested: emptyToNull(rest),
  }
}
