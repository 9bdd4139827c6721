import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { ArrowRightIcon } from '#ui/marks/icons.tsx'
import type { Creation } from '../use-creation.ts'
import styles from './CreateBar.module.css'

type Props = Pick<Creation, 'busy' | 'problem'> & {
  /** Whether the form doesn't show the selected source yet. If so, nothing can be created. */
  readonly isWaiting: boolean
  /** The number of problems to fix; 0 before the first attempt. */
  readonly faultCount: number
  /** Whether no row of the file can become a record. If so, nothing can be imported. */
  readonly hasNoRecords: boolean
  /** What Submit creates. */
  readonly submitLabel: 'create' | 'createAndImport' | 'createEmpty'
  readonly isDraft: boolean
  readonly onSave: () => void
}

/** The actions of the form, always visible. */
export const CreateBar = ({ busy, isWaiting, problem, faultCount, hasNoRecords, submitLabel, isDraft, onSave }: Props) => {
  const { t } = useTranslation('features/create')
  return (
    <div className={styles['bar']}>
      {problem !== null && (
        <div className={styles['problem']}>
          <ProblemNotice error={problem} isAlert>
            {t('bar.failed', { problem: problemMessage(problem) })}
          </ProblemNotice>
        </div>
      )}
      <p className={styles['state']}>
        {isWaiting
          ? t('bar.waiting')
          : faultCount > 0
            ? t('bar.faults', { count: faultCount })
            : hasNoRecords && t('bar.noRecords')}
      </p>
      <Button size="main" busy={busy === 'save'} blocked={busy === 'create' || isWaiting} onClick={onSave}>
        {isDraft ? t('bar.saveAgain') : t('bar.save')}
      </Button>
      <Button
        size="main"
        type="submit"
        look="primary"
        icon={ArrowRightIcon}
        busy={busy === 'create'}
        blocked={busy === 'save' || isWaiting || hasNoRecords}
      >
        {t(`bar.${submitLabel}`)}
      </Button>
    </div>
  )
}
