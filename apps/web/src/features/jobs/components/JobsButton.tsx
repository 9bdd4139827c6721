import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning, whenJobStarted } from '#lib/jobs.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { HourglassIcon } from '#ui/marks/icons.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import { Spinner } from '#ui/waiting/Spinner.tsx'
import { myJobsQuery } from '../api.ts'
import styles from './JobsButton.module.css'
import { MyJob } from './MyJob.tsx'

/** Where this browser remembers what was looked at last: a time of the server. */
const seenKey = 'jobs-seen'
const lastSeen = (): string => String(preferences.read().layout[seenKey] ?? '')

/**
 * What somebody has started and the server goes on with, wherever one is meanwhile and after a reload. It is there as long as something
 * is known, and marked while something goes on or has ended since it was looked at.
 */
export const JobsButton = () => {
  const { t } = useTranslation('features/jobs')
  const client = useQueryClient()
  const { data: jobs = [] } = useQuery(myJobsQuery())
  useEffect(() => whenJobStarted(() => void client.invalidateQueries({ queryKey: myJobsQuery().queryKey })), [client])
  if (jobs.length === 0) return null
  const running = jobs.filter(isRunning)
  const going = running.length
  const whole = running.reduce((sum, { total }) => sum + (total ?? 0), 0)
  // Where one does not know how much it has to do, all of them together do not.
  const progress =
    whole > 0 && running.every(({ total }) => total) ? running.reduce((sum, { done }) => sum + done, 0) / whole : undefined
  const newest = jobs.reduce((latest, { updated_at }) => (updated_at > latest ? updated_at : latest), '')
  const isNews = going === 0 && newest > lastSeen()
  const markSeen = (): void => preferences.write({ layout: { ...preferences.read().layout, [seenKey]: newest } })
  return (
    <Popover
      align="end"
      label={t('title')}
      className={styles['panel']}
      onClose={markSeen}
      trigger={
        <button
          type="button"
          className={styles['trigger']}
          data-news={isNews ? '' : undefined}
          aria-label={going > 0 ? t('open', { count: going, formatted: formatCount(going) }) : t('openIdle')}
        >
          {going > 0 ? <Spinner size={14} progress={progress} /> : <HourglassIcon />}
          {going > 0 && <span aria-hidden="true">{formatCount(going)}</span>}
        </button>
      }
    >
      <h2 className={styles['title']}>{t('title')}</h2>
      <ul className={styles['jobs']}>
        {jobs.map((job) => (
          <MyJob key={job.id} job={job} />
        ))}
      </ul>
    </Popover>
  )
}
