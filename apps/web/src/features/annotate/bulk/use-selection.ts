import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/telling/announcer.ts'
import type { QueueItem } from '../queue/item.ts'
import type { Selection } from './selection.ts'
import { emptySelection, extendedTo, ofAll, steppedTo, toggled } from './selection.ts'

/** The selected records of a page. What the annotator selects is told; what leaves the page is selected no longer. */
export const useSelection = (selectable: readonly QueueItem[]) => {
  const { t } = useTranslation('features/annotate')
  const [selection, setSelection] = useState<Selection>(emptySelection)
  const order = selectable.map((item) => item.record.id)
  const become = (next: Selection): void => {
    setSelection(next)
    const count = order.filter((id) => next.ids.has(id)).length
    announce(count === 0 ? t('bulk.noneSelected') : t('bulk.selected', { count, formatted: formatCount(count) }))
  }
  return {
    selected: selectable.filter((item) => selection.ids.has(item.record.id)),
    /** One record, or with Shift everything up to it. */
    toggle: (id: string, upTo: boolean): void => become(upTo ? extendedTo(selection, order, id) : toggled(selection, id)),
    step: (from: string, to: string): void => become(steppedTo(selection, order, from, to)),
    selectPage: (): void => become(ofAll(order)),
    selectNone: (): void => become(emptySelection),
    /** Adds one record, as an answer in its text does. */
    include: (id: string): void => {
      if (!selection.ids.has(id)) become(toggled(selection, id))
    },
    /** Without a word: what was done with the records is told instead. */
    clear: (): void => setSelection(emptySelection),
  }
}
