import { useId } from 'react'
import type { Row } from '../list.ts'
import styles from './DatasetList.module.css'
import { DatasetRow } from './DatasetRow.tsx'

export const DatasetList = ({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h2 id={id} className={styles['title']}>
        {title}
      </h2>
      <ul className={styles['list']}>
        {rows.map((row) => (
          <DatasetRow key={row.dataset.id} row={row} />
        ))}
      </ul>
    </section>
  )
}
