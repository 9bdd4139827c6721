import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ArrowRightIcon } from '#ui/marks/icons.tsx'
import { ProblemNotice } from '#ui/telling/ProblemNotice.tsx'
import type { Creation } from '../use-creation.ts'
import styles from './CreateBar.module.css'

type Props = Pick<Creation, 'busy' | 'problem'> & {
  /** The form does not show what is chosen yet, so nothing can be made of it. */
  readonly isWaiting: boolean
  /** What is in the way; 0 before somebody has tried. */
  readonly faultCount: number
  /** What the dataset begins with. */
  readonly makes: 'create' | 'createAndImport' | 'createEmpty'
  readonly isDraft: boolean
  readonly onSave: () => void
}

/** What can be done with the form, always in reach. */
export const CreateBar = ({ busy, isWaiting, problem, faultCount, makes, isDraft, onSave }: Props) => {
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
      <p className={styles['state']}>{isWaiting ? t('bar.waiting') : faultCount > 0 && t('bar.faults', { count: faultCount })}</p>
      <Button size="main" busy={busy === 'save'} blocked={busy === 'create' || isWaiting} onClick={onSave}>
        {isDraft ? t('bar.saveAgain') : t('bar.save')}
      </Button>
      <Button
        size="main"
        type="submit"
        look="primary"
        icon={ArrowRightIcon}
        busy={busy === 'create'}
        blocked={busy === 'save' || isWaiting}
      >
        {t(`bar.${makes}`)}
      </Button>
    </div>
  )
}
