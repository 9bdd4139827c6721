import type { ImportColumn } from '@postil/contract/files/imports.ts'
import type { ReactNode } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ChevronRightIcon } from '#ui/marks/icons.tsx'
import type { FileInForm } from '../../use-creation.ts'
import styles from './Columns.module.css'

export const Columns = ({
  columns,
  children,
}: {
  readonly columns: readonly ImportColumn[]
  /** Renders the control that sets how a column is imported. */
  readonly children: (column: ImportColumn) => ReactNode
}) => {
  const { t } = useTranslation('features/create')
  return (
    <ul className={styles['columns']}>
      {columns.map((column) => (
        <li key={column.name} className={styles['column']}>
          <div className={styles['what']}>
            <p className={styles['name']}>
              <code>{column.name}</code> <span className={styles['type']}>{t(`columnType.${column.type}`)}</span>
            </p>
            <p className={styles['samples']} title={column.samples.join('\n')}>
              {column.samples.length === 0 ? t('columns.noValues') : column.samples.join(' · ')}
            </p>
          </div>
          <ChevronRightIcon className={styles['arrow']} />
          <div className={styles['becomes']}>{children(column)}</div>
        </li>
      ))}
    </ul>
  )
}

/** The first rows of a file, unchanged. */
export const FirstRows = ({ file }: { readonly file: Pick<FileInForm, 'columns' | 'rows'> }) => {
  const { t } = useTranslation('features/create')
  return (
    <details className={styles['rows']}>
      <summary>{t('columns.firstRows')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className={styles['scroll']} tabIndex={0} aria-label={t('columns.firstRows')}>
        <table>
          <thead>
            <tr>
              {file.columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {file.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file never change
              <tr key={index}>
                {file.columns.map(({ name }, column) => (
                  <td key={name}>{row[column] ?? <span className={styles['type']}>–</span>}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
