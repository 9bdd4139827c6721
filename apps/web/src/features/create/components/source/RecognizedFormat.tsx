import type { LeftOut as LeftOutPart, ReadAs } from '@postil/contract/files/foreign-formats.ts'
import type { ImportFile } from '@postil/contract/files/imports.ts'
import { leftOutParts } from '@postil/contract/files/left-out-parts.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import type { AnnotatorBody } from '../../annotators.ts'
import { readFileAs } from '../../api.ts'
import styles from './RecognizedFormat.module.css'
import { useReread } from './use-reread.ts'

type Props = {
  /** Null for a dataset that does not exist yet. */
  readonly datasetId: string | null
  readonly file: ImportFile
  /** For each person in the file, how the annotations are imported. Undefined if all annotations are imported as suggestions. */
  readonly annotators: readonly AnnotatorBody[] | undefined
  readonly onFile: (file: ImportFile) => void
}

/** The parts of a foreign file that are not imported. */
const LeftOut = ({ parts }: { readonly parts: readonly LeftOutPart[] }) => {
  const { t } = useTranslation('features/create')
  if (parts.length === 0) return null
  return (
    <details>
      <summary>{t('recognized.leftOut', { count: parts.length })}</summary>
      <ul>
        {parts.map(({ part, reason, rows }) => (
          <li key={`${reason} ${part}`}>
            <code>{part}</code>: {t(`recognized.reason.${reason}`)} ({t('recognized.rows', { count: rows })})
          </li>
        ))}
      </ul>
    </details>
  )
}

/**
 * The format that was recognized from the content of a file, with a button that switches between this format and a plain table.
 * Renders nothing for a plain table.
 */
export const RecognizedFormat = ({ datasetId, file, annotators = [], onFile }: Props) => {
  const { t } = useTranslation('features/create')
  const { reread, requested, problem } = useReread<ReadAs>(file, onFile, (as) => readFileAs(datasetId, file.id, as))
  const { recognized, read_as: readAs, contents } = file
  if (recognized === null) return null
  const format = t(`recognized.format.${recognized}`)
  const counts = contents && [
    contents.whole ? t('recognized.rows', { count: contents.rows }) : t('recognized.moreRows', { count: contents.rows }),
    ...(contents.annotators > 0 ? [t('recognized.annotators', { count: contents.annotators })] : []),
  ]
  const leftOut = leftOutParts(contents?.left_out ?? [], annotators)
  const isPlain = readAs === 'plain'
  return (
    <div className={styles['recognized']}>
      <p>{counts === null ? t('recognized.plain', { format }) : [format, ...counts].join(', ')}</p>
      <Button look="quiet" busy={requested !== null} onClick={() => void reread(isPlain ? recognized : 'plain')}>
        {isPlain ? t('recognized.asFormat', { format }) : t('recognized.asPlain')}
      </Button>
      <LeftOut parts={leftOut} />
      {problem !== null && <ProblemNotice error={problem} isAlert />}
    </div>
  )
}
