import type { ImportColumn } from '@postil/contract/files/imports.ts'
import { labelsInCell } from '@postil/contract/files/labels-in-cell.ts'
import { Fragment } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import type { QuestionPart } from '../../draft.ts'
import { labelColumns } from '../../draft.ts'
import { separators } from '../source/reading-names.ts'
import styles from './Parts.module.css'

type Props = {
  readonly part: QuestionPart
  readonly columns: readonly ImportColumn[]
  readonly onPart: (change: Partial<QuestionPart>) => void
}

/**
 * Shows how the labels of a multi-label question are read from the file: either from several columns, or from cells that contain
 * several labels. For such cells, an example is shown. Renders nothing for other questions.
 */
export const ColumnLabels = ({ part, columns, onPart }: Props) => {
  const { t } = useTranslation('features/create')
  const names = labelColumns(part)
  if (names.length > 0)
    return <p className={styles['hint']}>{t('questions.fromColumns', { count: names.length, columns: names.join(', ') })}</p>
  const column = columns.find(({ name }) => name === part.source)
  if (column?.separator === undefined || part.separator === undefined) return null
  const separator = part.separator ?? ''
  const example = column.samples.find((text) => text.includes(column.separator ?? ''))
  const labels = example === undefined ? [] : separator === '' ? [example] : labelsInCell(example, separator)
  return (
    <>
      <LabelledSelect<string>
        label={t('questions.separator')}
        value={separator}
        options={separators.map(({ value, name }) => ({
          value,
          label: value === '' ? t('questions.oneLabel') : t(`reading.separators.${name}`),
        }))}
        onChange={(value) => onPart({ separator: value === '' ? null : value })}
      />
      {example !== undefined && (
        <p className={styles['hint']}>
          <code>{example}</code> →
          {labels.map((label) => (
            <Fragment key={label}>
              {' '}
              <code>{label}</code>
            </Fragment>
          ))}
        </p>
      )}
    </>
  )
}
