import type { OwnAssignments } from '@postil/contract/assignments.ts'
import { useId } from 'react'
import type { Row } from '../dataset-list.ts'
import styles from './DatasetList.module.css'
import { DatasetRow } from './DatasetRow.tsx'

type Props = {
  readonly title: string
  readonly rows: readonly Row[]
  /** The number of records on this device, keyed by dataset ID. */
  readonly onDevice: ReadonlyMap<string, number>
  /** The user's assignments, keyed by dataset ID. */
  readonly assignments: ReadonlyMap<string, OwnAssignments>
}

export const DatasetList = ({ title, rows, onDevice, assignments }: Props) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h2 id={id} className={styles['title']}>
        {title}
      </h2>
      <ul className={styles['list']}>
        {rows.map((row) => (
          <DatasetRow
            key={row.dataset.id}
            row={row}
            onDevice={onDevice.get(row.dataset.id) ?? 0}
            assigned={assignments.get(row.dataset.id) ?? null}
          />
        ))}
      </ul>
    </section>
  )
}
