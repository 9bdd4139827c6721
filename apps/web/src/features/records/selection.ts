import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useState } from 'react'
import type { Target } from '#features/assignments/public.ts'

/** The selected records: all that match the filters, or some of them. */
export type Selection = {
  readonly isAll: boolean
  readonly has: (recordId: string) => boolean
  /** @param loaded the records that the table has loaded around the visible rows */
  readonly toggle: (recordId: string, loaded: readonly string[]) => void
  readonly toggleAll: () => void
  readonly clear: () => void
  /** The number of selected records. @param total the number of records that match the filters */
  readonly count: (total: number) => number
  /** The selected records for a request; null if there are none. */
  readonly target: Target | null
}

type Chosen = { readonly all: boolean; readonly ids: ReadonlySet<string> }

/**
 * Selects a record, or removes it from the selection. A search can't leave out single records. If all records are selected, the
 * other loaded ones therefore remain.
 */
export const toggled = ({ all, ids }: Chosen, recordId: string, loaded: readonly string[]): Chosen => {
  const one = new Set([recordId])
  return { all: false, ids: all ? new Set(loaded).difference(one) : ids.symmetricDifference(one) }
}

type Selected = Chosen & { readonly key: string }

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
    toggle: (id, loaded) => setSelected({ key, ...toggled({ all, ids }, id, loaded) }),
    toggleAll: () => setSelected({ ...none, all: !all }),
    clear: () => setSelected(none),
    count: (total) => (all ? total : ids.size),
    target: all ? { search } : ids.size > 0 ? { record_ids: [...ids] } : null,
  }
}
