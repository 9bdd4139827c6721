import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useId } from 'react'
import { formatCount, formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { SuggestionIcon } from '#ui/marks/icons.tsx'
import type { CompletedAction } from '../announcements/use-action-text.ts'
import type { Annotator } from '../answering/annotator.ts'
import { ActionBar } from '../answering/form/ActionBar.tsx'
import { MissingAnswers } from '../answering/form/MissingAnswers.tsx'
import { QuestionForm } from '../answering/form/QuestionForm.tsx'
import { SaveState } from '../answering/form/SaveState.tsx'
import type { useRecordScreen } from '../answering/use-record-screen.ts'
import { Progress } from '../progress/Progress.tsx'
import styles from './BulkForm.module.css'

type Props = {
  readonly datasetId: string
  readonly annotator: Annotator
  readonly status: RecordFilterStatus
  /** The questions that are answered once for all records. */
  readonly common: readonly Question[]
  /** Questions that refer to the text or the options of one record. They are answered in each record. */
  readonly inText: readonly Question[]
  readonly screen: ReturnType<typeof useRecordScreen>
  /** How many records are selected. */
  readonly count: number
  readonly isSmall: boolean
  readonly lastAction: CompletedAction | null
  readonly onUndo: () => void
  readonly onSubmit: () => void
  readonly onDiscard: () => void
  readonly onSaveDraft: () => void
  readonly onClear: () => void
  /** Null if no record on the page has suggestions. */
  readonly onAcceptSuggestions: (() => void) | null
  /** Whether a selected record has suggestions. */
  readonly canAccept: boolean
}

/** The form of the bulk view. It shows every question once and has the actions for all selected records. */
export const BulkForm = ({
  datasetId,
  annotator,
  status,
  common,
  inText,
  screen,
  count,
  isSmall,
  lastAction,
  onUndo,
  onAcceptSuggestions,
  canAccept,
  ...on
}: Props) => {
  const { t } = useTranslation('features/annotate')
  const missingId = useId()
  const missing =
    screen.missing.length === 0
      ? null
      : { id: missingId, text: <MissingAnswers questions={screen.missing} answers={screen.answers} /> }
  const titles = inText.map((question) => question.title)
  return (
    <QuestionForm
      {...screen.formProps}
      record={null}
      notice={
        <>
          {titles.length > 0 && <p className={styles['note']}>{t('bulk.inText', { titles: formatList(titles, true) })}</p>}
          {onAcceptSuggestions && (
            <div className={styles['accept']}>
              <Button icon={SuggestionIcon} blocked={!canAccept} onClick={onAcceptSuggestions}>
                {t('bulk.accept')}
              </Button>
            </div>
          )}
        </>
      }
      after={isSmall && <Progress datasetId={datasetId} annotator={annotator} />}
      footer={
        <>
          <ActionBar
            status={status}
            missingId={missing?.id ?? null}
            blocked={count === 0 ? t('bulk.noneSelected') : null}
            submitLabel={count > 0 ? t('bulk.submit', { count, formatted: formatCount(count) }) : t('action.submit')}
            onCleared={() => screen.focusQuestion(common[0]?.name)}
            {...on}
          />
          <SaveState recordId={null} isEdited={false} isAnswered={false} last={lastAction} onUndo={onUndo} missing={missing} />
        </>
      }
    />
  )
}
