import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#i18n/format.ts'
import { formatDuration } from '#i18n/format-duration.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { ownTimeQuery } from '../api.ts'
import styles from './OwnTime.module.css'

const quietText = classNames(styles['text'], styles['quiet'])

export const OwnTimeText = ({ datasetId }: { readonly datasetId: string }) => {
  const { t } = useTranslation('features/annotate')
  const { data, error } = useQuery(ownTimeQuery(datasetId))
  if (error && !data) return <ProblemNotice error={error} />
  if (!data) return <Skeleton height="4lh" />
  const { active_time: time, shown_to_leads } = data
  return (
    <>
      <h2 className={styles['title']}>{t('time.title')}</h2>
      {time === null ? (
        <p className={styles['text']}>{t('time.none')}</p>
      ) : (
        <>
          <p className={styles['text']}>
            {t('time.median', {
              count: time.answers,
              formatted: formatCount(time.answers),
              time: formatDuration(time.median_ms),
            })}
          </p>
          {time.answers > 1 && (
            <p className={styles['text']}>
              {t('time.quartiles', { from: formatDuration(time.lower_ms), to: formatDuration(time.upper_ms) })}
            </p>
          )}
        </>
      )}
      <p className={quietText}>{t('time.hint')}</p>
      <p className={quietText}>{shown_to_leads ? t('time.shared') : t('time.private')}</p>
    </>
  )
}
