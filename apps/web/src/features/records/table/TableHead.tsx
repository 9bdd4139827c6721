import { ArrowDownIcon, ArrowUpIcon } from '#ui/marks/icons.tsx'
import type { Sort, SortColumn } from '../search-body.ts'
import { type Column, useColumnTitle } from './columns.ts'
import styles from './RecordsTable.module.css'

type Props = {
  readonly columns: readonly Column[]
  readonly template: string
  readonly sort: Sort | null
  readonly onSort: (column: SortColumn) => void
}

const directions = { asc: 'ascending', desc: 'descending' } as const

/** The headings. Those of sortable columns are buttons. */
export const TableHead = ({ columns, template, sort, onSort }: Props) => {
  const titleOf = useColumnTitle()
  return (
    <thead className={styles['headGroup']}>
      <tr aria-rowindex={1} className={styles['head']} style={{ gridTemplateColumns: template }}>
        {columns.map((column) => {
          const order = sort !== null && column.sort === sort.column ? sort.order : null
          const { sort: key } = column
          const title = titleOf(column)
          return (
            <th
              key={column.id}
              scope="col"
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
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
