import type { Question } from '@postil/contract/questions.ts'
import { useTranslation } from 'react-i18next'
import { formatCount, formatList } from '#i18n/format.ts'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'
import type { Annotator } from '../annotator.ts'
import { ActionBar } from '../components/ActionBar.tsx'
import { Progress } from '../components/Progress.tsx'
import { QuestionForm } from '../components/QuestionForm.tsx'
import type { LastDeed } from '../components/SaveState.tsx'
import { SaveState } from '../components/SaveState.tsx'
import type { useRecordScreen } from '../use-record-screen.ts'
import styles from './BulkForm.module.css'

type Props = {
  readonly datasetId: string
  readonly annotator: Annotator
  readonly status: RecordFilterStatus
  /** The questions that are asked once for all. */
  readonly common: readonly Question[]
  /** Those that are answered in each record's own text. */
  readonly inText: readonly Question[]
  readonly screen: ReturnType<typeof useRecordScreen>
  /** How many records are selected; null where there are none to select. */
  readonly count: number | null
  readonly isSmall: boolean
  readonly lastDeed: LastDeed | null
  readonly onSubmit: () => void
  readonly onDiscard: () => void
  readonly onSaveDraft: () => void
  readonly onClear: () => void
}

/** The margin of a page of records: the questions once, and what can be done with the answers for all that are selected. */
export const BulkForm = ({ datasetId, annotator, status, common, inText, screen, count, isSmall, lastDeed, ...on }: Props) => {
  const { t } = useTranslation('features/annotate')
  const progress = <Progress datasetId={datasetId} annotator={annotator} />
  const state = <SaveState recordId={null} isEdited={false} isAnswered={false} last={lastDeed} onUndo={annotator.undoDeed} />
  if (count === null) {
    return (
      <>
        <div className={styles['bare']}>
          <div className={styles['noForm']}>{lastDeed !== null && state}</div>
        </div>
        {progress}
      </>
    )
  }
  const titles = inText.map((question) => question.title)
  return (
    <>
      <div className={styles['form']}>
        <QuestionForm
          ref={screen.formElement}
          questions={common}
          record={null}
          answers={screen.answers}
          keys={screen.keys}
          active={screen.active}
          missing={screen.shownMissing}
          sharedOf={screen.sharedOf}
          onAnswer={screen.onAnswer}
          onFocusQuestion={screen.onFocusQuestion}
          notice={titles.length > 0 && <p className={styles['note']}>{t('bulk.inText', { titles: formatList(titles, true) })}</p>}
          after={isSmall && progress}
          footer={
            <>
              <ActionBar
                status={status}
                canSubmit={screen.missing.length === 0}
                blocked={count === 0 ? t('bulk.noneSelected') : null}
                submitLabel={count > 1 ? t('bulk.submit', { count, formatted: formatCount(count) }) : t('action.submit')}
                {...on}
              />
              {state}
            </>
          }
        />
      </div>
      {!isSmall && progress}
    </>
  )
}
