import type { Encoding } from '@postil/contract/files/encodings.ts'
import { encodings } from '@postil/contract/files/encodings.ts'
import { textUnits } from '@postil/contract/files/import-formats.ts'
import type { ImportFile, ReadingBody } from '@postil/contract/files/imports.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { rereadFile } from '../../api.ts'
import styles from './ReadingChoice.module.css'
import { charactersOf, encodingNames, separators } from './reading-names.ts'
import { useReread } from './use-reread.ts'

type Props = {
  /** Null for a dataset that does not exist yet. */
  readonly datasetId: string | null
  readonly file: ImportFile
  readonly onFile: (file: ImportFile) => void
}

/** Whether the encoding should be checked: it isn't UTF-8, or the text is damaged. */
const isUnusual = ({ reading: { encoding, damaged_at: damagedAt } }: ImportFile): boolean =>
  damagedAt !== null || (encoding !== null && encoding !== 'utf-8')

/**
 * Shows sample words from the file, by which the user can see whether the encoding is right. In a different encoding, some of
 * their characters would be different.
 */
const Characters = ({ file }: { readonly file: ImportFile }) => {
  const { t } = useTranslation('features/create')
  const words = charactersOf(file)
  const { encoding } = file.reading
  if (encoding === null || !isUnusual(file)) return null
  return (
    <p className={styles['characters']}>
      {t('reading.read', { encoding: encodingNames[encoding] })}{' '}
      {words.length > 0 && t('reading.compare', { words: words.join(', ') })}
    </p>
  )
}

/**
 * How a text file or a table is read: its encoding, the separator of its cells, its heading, and which unit of text is one
 * record. The server detects all of this from the content, and the user can change it. Renders nothing if there is nothing to
 * choose.
 */
export const ReadingChoice = ({ datasetId, file, onFile }: Props) => {
  const { t } = useTranslation('features/create')
  const { reread, requested, problem } = useReread<ReadingBody>(file, onFile, (body) => rereadFile(datasetId, file.id, body))
  const { encoding, separator, heading_row: headingRow, first_rows: firstRows, unit, damaged_at: damagedAt } = file.reading
  const isFixed = encoding === null && separator === null && firstRows.length === 0 && unit === null
  if (isFixed) return null
  const headings = [
    { value: '0', label: t('reading.noHeading') },
    ...firstRows.map(({ row, text }) => ({ value: String(row), label: t('reading.headingRow', { row, text }) })),
  ]
  const isListed = headings.some(({ value }) => value === String(headingRow))
  const known = separators.some(({ value }) => value === separator)
  return (
    <details className={styles['reading']} open={isUnusual(file)}>
      <summary>{t('reading.title')}</summary>
      {damagedAt !== null && <Notice kind="warning">{t('reading.damaged', { byte: formatCount(damagedAt) })}</Notice>}
      <Characters file={file} />
      <div className={styles['choices']}>
        {encoding !== null && (
          <LabelledSelect<Encoding>
            label={t('reading.encoding')}
            value={requested?.encoding ?? encoding}
            options={encodings.map((value) => ({ value, label: encodingNames[value] }))}
            onChange={(value) => void reread({ encoding: value })}
          />
        )}
        {unit !== null && (
          <LabelledSelect<(typeof textUnits)[number]>
            label={t('reading.unit')}
            value={requested?.unit ?? unit}
            options={textUnits.map((value) => ({ value, label: t(`reading.units.${value}`) }))}
            onChange={(value) => void reread({ unit: value })}
          />
        )}
        {separator !== null && (
          <LabelledSelect<string>
            label={t('reading.separator')}
            value={requested?.separator ?? separator}
            options={[
              ...separators.map(({ value, name }) => ({ value, label: t(`reading.separators.${name}`) })),
              ...(known ? [] : [{ value: separator, label: separator }]),
            ]}
            onChange={(value) => void reread({ separator: value, heading_row: null })}
          />
        )}
        {firstRows.length > 0 && (
          <LabelledSelect<string>
            label={t('reading.heading')}
            value={String(requested?.heading_row ?? headingRow ?? 0)}
            options={isListed ? headings : [...headings, { value: String(headingRow), label: String(headingRow) }]}
            onChange={(value) => void reread({ heading_row: Number(value) })}
          />
        )}
      </div>
      {requested !== null && <p className={styles['characters']}>{t('file.reading')}</p>}
      {problem !== null && <ProblemNotice error={problem} isAlert />}
    </details>
  )
}
