import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useState } from 'react'
import type { Target } from '#features/assignments/public.ts'

/** The selected records: all that match the filters, or some of them. */
export type Selection = {
  readonly isAll: boolean
  readonly has: (recordId: string) => boolean
  readonly toggle: (recordId: string) => void
  readonly toggleAll: () => void
  readonly clear: () => void
  /** The number of selected records. @param total the number of records that match the filters */
  readonly count: (total: number) => number
  /** The selected records for a request; null if there are none. */
  readonly target: Target | null
}

type Selected = { readonly key: string; readonly all: boolean; readonly ids: ReadonlySet<string> }

/** The selection in the table. A change of the filters clears it. */
export const useSelection = (body: SearchBodyInput): Selection => {
  const key = JSON.stringify({ ...body, sort: undefined })
  const none: Selected = { key, all: false, ids: new Set() }
  const [stored, setSelected] = useState(none)
  const { all, ids } = stored.key === key ? stored : none
  const { sort: _, ...search } = body
  return {
    isAll: all,
    has: (id) => all || ids.has(id),
    // With all records selected, a single one can't be left out. Selecting it starts a new selection.
    toggle: (id) => setSelected({ key, all: false, ids: all ? new Set([id]) : ids.symmetricDifference(new Set([id])) }),
    toggleAll: () => setSelected({ ...none, all: !all }),
    clear: () => setSelected(none),
    count: (total) => (all ? total : ids.size),
    target: all ? { search } : ids.size > 0 ? { record_ids: [...ids] } : null,
  }
}
