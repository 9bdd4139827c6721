import type { KeyboardEvent } from 'react'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { Row } from '../api.ts'
import { Cell, type CellProps } from './Cell.tsx'
import styles from './RecordsTable.module.css'

type Props = Pick<CellProps, 'columns' | 'dataset' | 'people'> & {
  readonly index: number
  /** Undefined while it loads. */
  readonly row: Row | undefined
  readonly isCurrent: boolean
  readonly isOpen: boolean
  /** The distance from the top of the table's body, in pixels. */
  readonly top: number
  readonly template: string
  readonly onFocus: (index: number) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onOpen: (recordId: string) => void
}

/** One record. Only the current row can be reached by Tab; arrow keys move between rows. */
export const TableRow = ({ index, row, isCurrent, isOpen, top, template, columns, dataset, people, ...on }: Props) => (
  <tr
    aria-rowindex={index + 2}
    aria-selected={isOpen}
    data-row={index}
    tabIndex={isCurrent ? 0 : -1}
    className={styles['row']}
    style={{ top, gridTemplateColumns: template }}
    onFocus={() => on.onFocus(index)}
    onKeyDown={on.onKeyDown}
    onClick={() => row && on.onOpen(row.record.id)}
  >
    {columns.map((column) => (
      <td key={column.id} className={styles['cell']} data-kind={column.kind}>
        {row ? (
          <Cell column={column} columns={columns} row={row} dataset={dataset} people={people} />
        ) : (
          <Skeleton height="0.75rem" width="60%" />
        )}
      </td>
    ))}
  </tr>
)
