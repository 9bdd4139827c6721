/** An answer in an editor: the value, and the part of it that is only suggested so far. */
type One<V> = { readonly value: V | null; readonly suggested: V | null }
type Many<V> = { readonly value: readonly V[] | null; readonly suggested: readonly V[] | null }

/** Presses one of several: the first press of what is only suggested accepts it, the next one takes it off. */
export const pickOne = <V>({ value, suggested }: One<V>, picked: V): One<V> => ({
  value: value === picked && suggested !== picked ? null : picked,
  suggested: null,
})

const orNull = <V>(list: readonly V[]): readonly V[] | null => (list.length === 0 ? null : list)

/** Presses one of any number: what is only suggested is accepted, anything else is switched; the others stay as they are. */
export const pickMany = <V>({ value, suggested }: Many<V>, picked: V): Many<V> => {
  const on = value ?? []
  const rest = (suggested ?? []).filter((one) => one !== picked)
  if (suggested?.includes(picked)) return { value: on, suggested: orNull(rest) }
  return { value: orNull(on.includes(picked) ? on.filter((one) => one !== picked) : [...on, picked]), suggested: orNull(rest) }
}
