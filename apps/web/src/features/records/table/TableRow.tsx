import type { KeyboardEvent } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { Row } from '../api.ts'
import { Cell, type CellProps } from './Cell.tsx'
import styles from './RecordsTable.module.css'

type Props = Pick<CellProps, 'columns' | 'dataset' | 'people' | 'assignees'> & {
  readonly index: number
  /** Undefined while it loads. */
  readonly row: Row | undefined
  readonly isCurrent: boolean
  readonly isOpen: boolean
  readonly isSelected: boolean
  readonly onSelect: (recordId: string) => void
  /** The distance from the top of the table's body, in pixels. */
  readonly top: number
  readonly template: string
  readonly onFocus: (index: number) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onOpen: (recordId: string) => void
}

/** Whether an element is in the cell with the check box. A click in this cell selects the record instead of opening it. */
const isInSelectCell = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-kind="select"]') !== null

/** One record. Only the current row can be reached by Tab; arrow keys move between rows, and X selects the row. */
export const TableRow = ({
  index,
  row,
  isCurrent,
  isOpen,
  isSelected,
  top,
  template,
  columns,
  dataset,
  people,
  assignees,
  ...on
}: Props) => (
  <tr
    aria-rowindex={index + 2}
    aria-selected={isOpen}
    data-row={index}
    tabIndex={isCurrent ? 0 : -1}
    className={styles['row']}
    style={{ top, gridTemplateColumns: template }}
    onFocus={() => on.onFocus(index)}
    onKeyDown={on.onKeyDown}
    onClick={({ target }) => row && !isInSelectCell(target) && on.onOpen(row.record.id)}
  >
    <td className={styles['cell']} data-kind="select">
      {row && <SelectBox number={row.number} checked={isSelected} onChange={() => on.onSelect(row.record.id)} />}
    </td>
    {columns.map((column) => (
      <td key={column.id} className={styles['cell']} data-kind={column.kind}>
        {row ? (
          <Cell column={column} columns={columns} row={row} dataset={dataset} people={people} assignees={assignees} />
        ) : (
          <Skeleton height="0.75rem" width="60%" />
        )}
      </td>
    ))}
  </tr>
)

type SelectProps = { readonly number: number; readonly checked: boolean; readonly onChange: () => void }

const SelectBox = ({ number, checked, onChange }: SelectProps) => {
  const { t } = useTranslation('features/records')
  return (
    <label className={styles['select']}>
      <input
        type="checkbox"
        // The check box isn't in the tab order, because the row has the focus, and the X key selects the row.
        tabIndex={-1}
        aria-label={t('select.row', { number: formatCount(number) })}
        checked={checked}
        onChange={onChange}
      />
    </label>
  )
}
