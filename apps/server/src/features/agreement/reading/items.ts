import type { Span } from '@postil/contract/answer-value.ts'
import type { ItemsCompared } from '#question-types/define.ts'
import type { Answers } from '../measures/answers.ts'
import { unitCount } from '../measures/answers.ts'
import type { MeasureInput } from '../measures/measure.ts'
import { LabelSets } from '../measures/segments.ts'

type Given = Pick<MeasureInput, 'answers' | 'raters' | 'reference'>
type Values = {
  /** The spans of a value, given its index in `answers` or `reference`. */
  readonly spansOf: (index: number) => readonly Span[]
  readonly options: readonly (string | number)[]
}

/**
 * Splits answers that label separate items of records, such as the turns of conversations. Each item of a record becomes a unit.
 * If a person hasn't labeled an item, the unit has no answer from this person. If the options form a scale, their positions, from
 * 1, are the numbers of the scale.
 */
export const compareItems = (
  compared: ItemsCompared,
  { answers, raters, reference }: Given,
  { spansOf, options }: Values,
): { readonly labels: readonly (string | number)[]; readonly input: MeasureInput } => {
  const labels = options.map(String)
  const indexes = new Map(labels.map((label, i) => [label, i]))
  const sets = new LabelSets()
  const indexOf = (label: string): number => {
    const index = indexes.get(label) ?? labels.push(label) - 1
    indexes.set(label, index)
    return index
  }
  const known = new Map<number, ReadonlyMap<number, number>>()
  /** The value of each labeled item in an answer, keyed by the item's start. */
  const itemsOf = (value: number): ReadonlyMap<number, number> => {
    const found = known.get(value)
    if (found !== undefined) return found
    const items = new Map(
      [...Map.groupBy(spansOf(value), ({ start }) => start)].map(([start, spans]): [number, number] => {
        const given = [...new Set(spans.map(({ label }) => indexOf(label)))].sort((a, b) => a - b)
        return [start, compared === 'sets' ? sets.indexOf(given) : given[0]!]
      }),
    )
    known.set(value, items)
    return items
  }
  const size = answers.values.reduce((sum, value) => sum + itemsOf(value).size, 0)
  const starts: number[] = [0]
  const [itemRaters, itemValues] = [new Uint32Array(size), new Uint32Array(size)]
  const itemReference: number[] = []
  let end = 0
  for (let unit = 0; unit < unitCount(answers); unit += 1) {
    const [from, to] = [answers.starts[unit]!, answers.starts[unit + 1]!]
    const given = Array.from({ length: to - from }, (_, i) => itemsOf(answers.values[from + i]!))
    const expected = reference?.[unit] ?? -1
    const final = expected < 0 ? null : itemsOf(expected)
    const items = [...new Set(given.flatMap((one) => [...one.keys()]))].sort((a, b) => a - b)
    for (const start of items) {
      given.forEach((one, i) => {
        const value = one.get(start)
        if (value === undefined) return
        itemRaters[end] = answers.raters[from + i]!
        itemValues[end] = value
        end += 1
      })
      starts.push(end)
      itemReference.push(final?.get(start) ?? -1)
    }
  }
  const split: Answers = { starts: Uint32Array.from(starts), raters: itemRaters, values: itemValues }
  const common = { answers: split, raters, reference: reference && Int32Array.from(itemReference) }
  const input: MeasureInput =
    compared === 'sets'
      ? { ...common, kind: 'sets', labels: labels.length, sets: sets.sets }
      : compared === 'scale'
        ? { ...common, kind: 'scale', scale: labels.map((_, i) => i + 1) }
        : { ...common, kind: 'categories', labels: labels.length }
  return { labels, input }
}
