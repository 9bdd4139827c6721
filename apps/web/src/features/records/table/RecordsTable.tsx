import type { Dataset } from '@postil/contract/datasets.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { useVirtualRows } from '#ui/page/use-virtual-rows.ts'
import type { People } from '../people.ts'
import type { Sort, SortColumn } from '../search-body.ts'
import type { Selection } from '../selection.ts'
import type { Column } from './columns.ts'
import styles from './RecordsTable.module.css'
import { TableHead } from './TableHead.tsx'
import { TableRow } from './TableRow.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { useAssignees, useRows, useTotal } from './use-rows.ts'

type Props = {
  readonly dataset: Dataset
  readonly body: SearchBodyInput
  readonly columns: readonly Column[]
  readonly people: People
  readonly sort: Sort | null
  readonly selection: Selection
  /** The ID of the open record; null if none is open. */
  readonly openId: string | null
  readonly onSort: (column: SortColumn) => void
  /** @param width in pixels; null for the original width */
  readonly onResize: (column: string, width: number | null) => void
  readonly onOpen: (recordId: string | null) => void
}

const rowHeight = 36

/** The width of the column of check boxes, in pixels. */
const selectWidth = 44

/** All records that match the filters, as rows of equal height. Only the visible rows are in the document. */
export const RecordsTable = ({ dataset, body, columns, people, sort, selection, openId, onSort, onResize, onOpen }: Props) => {
  const { t } = useTranslation('features/records')
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const [dragged, setDragged] = useState<{ readonly id: string; readonly width: number } | null>(null)
  const total = useTotal(dataset.id, body)
  const count = total ?? 0
  const { first, last, height, topOf, scrollTo } = useVirtualRows(scroller, count, { rowHeight, headHeight: rowHeight })
  const { rowAt, head, error } = useRows(dataset.id, body, { first, last })
  const isShown = columns.some(({ kind }) => kind === 'assigned_to')
  const assigneesOf = useAssignees(dataset.id, rowAt, { first, last, isShown })
  const current = Math.min(active, Math.max(0, count - 1))

  useEffect(() => {
    const isInTable = document.activeElement instanceof HTMLElement && document.activeElement.dataset['row'] !== undefined
    if (isInTable) scroller.current?.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus({ preventScroll: true })
  }, [current])

  const moveTo = (row: number): void => {
    const next = Math.max(0, Math.min(count - 1, row))
    setActive(next)
    scrollTo(next)
    const shown = rowAt(next)
    if (openId !== null && shown) onOpen(shown.record.id)
  }
  const press = useRowKeys({
    current,
    count,
    isOpen: openId !== null,
    moveTo,
    open: () => onOpen(rowAt(current)?.record.id ?? null),
    close: () => onOpen(null),
    select: () => {
      const row = rowAt(current)
      if (row) selection.toggle(row.record.id)
    },
  })

  if (error && !head.data) return <ProblemNotice error={error} />
  const widths = columns.map((column) => (column.id === dragged?.id ? dragged.width : column.width))
  const template = `${selectWidth}px ${widths.map((width) => `${width}px`).join(' ')} minmax(0, 1fr)`
  const tableWidth = widths.reduce((sum, width) => sum + width, selectWidth)
  const visible = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  // The current row stays in the document, so that it keeps the focus when it scrolls out of view.
  const rendered = count === 0 || visible.includes(current) ? visible : [...visible, current].toSorted((a, b) => a - b)
  return (
    <div ref={scroller} className={styles['scroller']}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between the rows
        role="grid"
        aria-label={t('title')}
        aria-rowcount={count + 1}
        aria-busy={total === null}
        className={styles['table']}
        style={{ minWidth: tableWidth }}
      >
        <TableHead
          columns={columns}
          template={template}
          sort={sort}
          selection={selection}
          onSort={onSort}
          onDrag={setDragged}
          onResize={onResize}
        />
        <tbody className={styles['body']} style={{ height }}>
          {rendered.map((index) => (
            <TableRow
              key={index}
              index={index}
              row={rowAt(index)}
              isCurrent={index === current}
              isSelected={selection.has(rowAt(index)?.record.id ?? '')}
              onSelect={selection.toggle}
              assignees={assigneesOf(rowAt(index)?.record.id ?? '').map(({ username }) => username)}
              isOpen={openId !== null && rowAt(index)?.record.id === openId}
              top={topOf(index)}
              {...{ template, columns, dataset, people, onOpen }}
              onFocus={setActive}
              onKeyDown={(event) => press(event) && event.preventDefault()}
            />
          ))}
        </tbody>
      </table>
      {total === 0 && <EmptyState title={t('none')} hint={t('noneHint')} />}
      <p className="visually-hidden" role="status">
        {total !== null && t('found', { count, shown: formatCount(count) })}
      </p>
    </div>
  )
}
