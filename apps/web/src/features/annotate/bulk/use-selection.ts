import type { RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { keyPlaceOf } from '../answering/keys/place-of-key.ts'
import type { ListItem } from '../queue/list-item.ts'
import type { Selection } from './selection.ts'
import { emptySelection, extendSelection, selectAll, stepSelection, toggleRecord } from './selection.ts'

/** The selected records of a page. Changes by the annotator are announced; records that leave the page are deselected. */
export const useSelection = (selectable: readonly ListItem[]) => {
  const { t } = useTranslation('features/annotate')
  const [selection, setSelection] = useState<Selection>(emptySelection)
  const order = selectable.map((item) => item.record.id)
  const applySelection = (next: Selection): void => {
    setSelection(next)
    const count = order.filter((id) => next.ids.has(id)).length
    announce(count === 0 ? t('bulk.noneSelected') : t('bulk.selected', { count, formatted: formatCount(count) }))
  }
  return {
    selected: selectable.filter((item) => selection.ids.has(item.record.id)),
    /** Toggles one record or, with Shift, the range up to it. */
    toggle: (id: string, upTo: boolean): void =>
      applySelection(upTo ? extendSelection(selection, order, id) : toggleRecord(selection, id)),
    step: (from: string, to: string): void => applySelection(stepSelection(selection, order, from, to)),
    selectPage: (): void => applySelection(selectAll(order)),
    selectNone: (): void => applySelection(emptySelection),
    /** Selects a record when the user answers a question inside the record's text, for example by labeling a span. */
    include: (id: string): void => {
      if (!selection.ids.has(id)) applySelection(toggleRecord(selection, id))
    },
    /** Clears the selection without an announcement, because the action that causes it is announced. */
    clear: (): void => setSelection(emptySelection),
  }
}

type SelectAllOptions = {
  readonly form: RefObject<HTMLElement | null>
  readonly list: RefObject<HTMLElement | null>
  readonly onAll: () => void
}

/** Selects all records of the page on Ctrl+A, except in a text input. */
export const useSelectAll = (options: SelectAllOptions): void => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isSelectAll = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'a'
      if (!isSelectAll || event.defaultPrevented) return
      const { form, list, onAll } = latest.current
      const place = keyPlaceOf(event.target, { form: form.current, record: list.current })
      if (place === 'writing' || place === 'elsewhere') return
      event.preventDefault()
      onAll()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
