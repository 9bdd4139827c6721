/** Which records of a page are selected, and from where a range goes on. Pure. */
export type Selection = {
  readonly ids: ReadonlySet<string>
  /** What was selected when the range began: a range that gets smaller again leaves no trace. */
  readonly base: ReadonlySet<string>
  /** Where a range begins and ends; null before anything was selected or given up. */
  readonly anchor: string | null
  readonly end: string | null
  /** Whether the range selects, or takes back. */
  readonly selects: boolean
}

type Ids = ReadonlySet<string>
const none: Ids = new Set()
const both = (a: Ids, b: Ids): Ids => new Set([...a, ...b])
const without = (a: Ids, b: Ids): Ids => new Set([...a].filter((id) => !b.has(id)))

export const emptySelection: Selection = { ids: none, base: none, anchor: null, end: null, selects: true }

export const toggled = ({ ids }: Selection, id: string): Selection => {
  const selects = !ids.has(id)
  const next = selects ? both(ids, new Set([id])) : without(ids, new Set([id]))
  return { ids: next, base: next, anchor: id, end: id, selects }
}

const between = (order: readonly string[], a: number, b: number): ReadonlySet<string> =>
  new Set(order.slice(Math.min(a, b), Math.max(a, b) + 1))

/** Everything from where the last press was up to this one becomes what that press made of its record. */
export const extendedTo = (selection: Selection, order: readonly string[], id: string): Selection => {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  if (from < 0 || to < 0) return toggled(selection, id)
  const range = between(order, from, to)
  const { base, selects } = selection
  return { ...selection, ids: selects ? both(base, range) : without(base, range), end: id }
}

/** A step by keys with Shift: selects the record it starts from and the one it comes to, or goes on with the range. */
export const steppedTo = (selection: Selection, order: readonly string[], from: string, to: string): Selection => {
  const goesOn = selection.end === from && selection.selects
  const { ids } = selection
  return extendedTo(goesOn ? selection : { ids, base: ids, anchor: from, end: from, selects: true }, order, to)
}

export const ofAll = (order: readonly string[]): Selection => ({ ...emptySelection, ids: new Set(order), base: new Set(order) })
