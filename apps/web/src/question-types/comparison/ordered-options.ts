import { comparedFields, type Sides } from '@postil/contract/comparison-sides.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'

/**
 * What an option means if the sides are shown in this order. `kind` is the preferred side. `strength` is 2 if that side is much
 * better, 1 if it is better, and 0 if no side is better.
 */
export type SideOption = {
  readonly value: string
  readonly kind: 'first' | 'second' | 'tie' | 'bothBad'
  readonly strength: 0 | 1 | 2
}

/**
 * Returns the options in the order on the screen: from the first field being much better to the second field being much better.
 * The options for equal fields are in the middle.
 */
export const orderedOptions = (
  { compare }: Pick<SettingsOf<'comparison'>, 'compare'>,
  sides: Sides = comparedFields(compare),
): readonly SideOption[] => {
  const of = (kind: 'first' | 'second', field: string): SideOption[] =>
    Object.entries(compare.options)
      .filter(([, preferred]) => preferred === field)
      .map(([value]): SideOption => ({ value, kind, strength: compare.strong.includes(value) ? 2 : 1 }))
      .toSorted((a, b) => b.strength - a.strength)
  return [
    ...of('first', sides[0]),
    ...(compare.ties === null ? [] : [{ value: compare.ties, kind: 'tie' as const, strength: 0 as const }]),
    ...(compare.both_bad === null ? [] : [{ value: compare.both_bad, kind: 'bothBad' as const, strength: 0 as const }]),
    ...of('second', sides[1]).reverse(),
  ]
}
