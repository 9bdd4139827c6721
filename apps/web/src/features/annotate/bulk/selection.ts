/**
 * The selected records of a page, and the range that the user is selecting. The functions in this module don't change their
 * arguments.
 */
export type Selection = {
  readonly ids: ReadonlySet<string>
  /** The selection before the range began. When the range shrinks, records that leave it return to this state. */
  readonly base: ReadonlySet<string>
  /**
   * The IDs of the records where the range starts (`anchor`) and ends (`end`). Null until something is selected, and after the
   * selection is cleared.
   */
  readonly anchor: string | null
  readonly end: string | null
  /** Whether the range selects or deselects. */
  readonly selects: boolean
}

type Ids = ReadonlySet<string>
const none: Ids = new Set()
const union = (a: Ids, b: Ids): Ids => new Set([...a, ...b])
const difference = (a: Ids, b: Ids): Ids => new Set([...a].filter((id) => !b.has(id)))

export const emptySelection: Selection = { ids: none, base: none, anchor: null, end: null, selects: true }

export const toggleRecord = ({ ids }: Selection, id: string): Selection => {
  const selects = !ids.has(id)
  const next = selects ? union(ids, new Set([id])) : difference(ids, new Set([id]))
  return { ids: next, base: next, anchor: id, end: id, selects }
}

const idsBetween = (order: readonly string[], a: number, b: number): ReadonlySet<string> =>
  new Set(order.slice(Math.min(a, b), Math.max(a, b) + 1))

/**
 * Applies the last click to all records from the clicked record to the record `id`. If the click selected its record, selects
 * them all. If the click deselected its record, deselects them all.
 */
export const extendSelection = (selection: Selection, order: readonly string[], id: string): Selection => {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  if (from < 0 || to < 0) return toggleRecord(selection, id)
  const range = idsBetween(order, from, to)
  const { base, selects } = selection
  return { ...selection, ids: selects ? union(base, range) : difference(base, range), end: id }
}

/** Extends the selection by a Shift+arrow step: selects the records at both ends of the step, or continues the range. */
export const stepSelection = (selection: Selection, order: readonly string[], from: string, to: string): Selection => {
  const continuesRange = selection.end === from && selection.selects
  const { ids } = selection
  return extendSelection(continuesRange ? selection : { ids, base: ids, anchor: from, end: from, selects: true }, order, to)
}

export const selectAll = (order: readonly string[]): Selection => ({
  ...emptySelection,
  ids: new Set(order),
  base: new Set(order),
})
