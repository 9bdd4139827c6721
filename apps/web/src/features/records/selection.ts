import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useState } from 'react'
import type { Target } from '#features/assignments/public.ts'

/** The selected records: either individually chosen ones, or all that match the filters except for those that were deselected. */
export type Selection = {
  /** Whether all records that match the filters are selected. */
  readonly isAll: boolean
  readonly has: (recordId: string) => boolean
  readonly toggle: (recordId: string) => void
  readonly toggleAll: () => void
  readonly clear: () => void
  /** The number of selected records. @param total the number of records that match the filters */
  readonly count: (total: number) => number
  /** The selected records, in the form that requests use. Null if no records are selected. */
  readonly target: Target | null
}

/** `all`: all matching records except for `ids`. Otherwise only `ids`. */
type Chosen = { readonly all: boolean; readonly ids: ReadonlySet<string> }
type Selected = Chosen & { readonly key: string }

const targetOf = ({ all, ids }: Chosen, search: SearchBodyInput): Target | null => {
  if (all) return ids.size === 0 ? { search } : { search, except_ids: [...ids] }
  return ids.size > 0 ? { record_ids: [...ids] } : null
}

/** The selection in the table. A change to the filters clears it. */
export const useSelection = (body: SearchBodyInput): Selection => {
  const key = JSON.stringify({ ...body, sort: undefined })
  const none: Selected = { key, all: false, ids: new Set() }
  const [stored, setSelected] = useState(none)
  const selected = stored.key === key ? stored : none
  const { all, ids } = selected
  const { sort: _, ...search } = body
  return {
    isAll: all && ids.size === 0,
    has: (id) => ids.has(id) !== all,
    toggle: (id) => setSelected({ key, all, ids: ids.symmetricDifference(new Set([id])) }),
    toggleAll: () => setSelected({ ...none, all: !all || ids.size > 0 }),
    clear: () => setSelected(none),
    count: (total) => (all ? Math.max(0, total - ids.size) : ids.size),
    target: targetOf(selected, search),
  }
}
