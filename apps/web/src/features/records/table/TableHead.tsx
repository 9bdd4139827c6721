import { useTranslation } from '#i18n/use-translation.ts'
import { ArrowDownIcon, ArrowUpIcon } from '#ui/marks/icons.tsx'
import type { Sort, SortColumn } from '../search-body.ts'
import type { Selection } from '../selection.ts'
import { type Column, useColumnTitle } from './columns.ts'
import styles from './RecordsTable.module.css'
import { ResizeHandle } from './ResizeHandle.tsx'

type Props = {
  readonly columns: readonly Column[]
  readonly template: string
  readonly sort: Sort | null
  readonly selection: Selection
  readonly onSort: (column: SortColumn) => void
  /** Called with a column's width while the user drags the column's edge, and with null when the drag ends. */
  readonly onDrag: (dragged: { readonly id: string; readonly width: number } | null) => void
  readonly onResize: (column: string, width: number | null) => void
}

const directions = { asc: 'ascending', desc: 'descending' } as const

export const TableHead = ({ columns, template, sort, selection, onSort, onDrag, onResize }: Props) => {
  const { t } = useTranslation('features/records')
  const titleOf = useColumnTitle()
  return (
    <thead className={styles['headGroup']}>
      <tr aria-rowindex={1} className={styles['head']} style={{ gridTemplateColumns: template }}>
        <th scope="col" className={styles['headCell']} data-kind="select">
          <label className={styles['select']}>
            <input
              type="checkbox"
              aria-label={t('select.all')}
              title={t('select.all')}
              checked={selection.isAll}
              ref={(box) => {
                if (box) box.indeterminate = !selection.isAll && selection.target !== null
              }}
              onChange={selection.toggleAll}
            />
          </label>
        </th>
        {columns.map((column) => {
          const order = sort !== null && column.sort === sort.column ? sort.order : null
          const { sort: key } = column
          const title = titleOf(column)
          return (
            <th
              key={column.id}
              scope="col"
              // Without this label, the heading's accessible name would include the name of the resize handle.
              aria-label={title}
              aria-sort={order ? directions[order] : undefined}
              className={styles['headCell']}
              data-kind={column.kind}
            >
              {key ? (
                <button type="button" className={styles['sort']} onClick={() => onSort(key)}>
                  <bdi title={title}>{title}</bdi> {order === 'asc' && <ArrowUpIcon size={12} />}
                  {order === 'desc' && <ArrowDownIcon size={12} />}
                </button>
              ) : (
                <bdi title={title}>{title}</bdi>
              )}
              <ResizeHandle
                title={title}
                width={column.width}
                onDrag={(width) => onDrag(width === null ? null : { id: column.id, width })}
                onResize={(width) => onResize(column.id, width)}
              />
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
