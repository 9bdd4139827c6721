import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning, onJobStarted } from '#lib/jobs.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { Spinner } from '#ui/loading/Spinner.tsx'
import { HourglassIcon } from '#ui/marks/icons.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import { myJobsQuery } from '../api.ts'
import { JobItem } from './JobItem.tsx'
import styles from './JobsButton.module.css'

/**
 * The key under which this browser stores the time of the latest change to a job that the user has viewed. The time is from the
 * server's clock.
 */
const seenKey = 'jobs-seen'
const lastSeen = (): string => String(preferences.read().layout[seenKey] ?? '')

/**
 * Shows the user's background jobs on every page, even after a reload. The button appears while there are recent jobs. It is
 * marked while a job is running, or if a job has ended since the list was last closed.
 */
export const JobsButton = () => {
  const { t } = useTranslation('features/jobs')
  const client = useQueryClient()
  const { data: jobs = [] } = useQuery(myJobsQuery())
  useEffect(() => onJobStarted(() => void client.invalidateQueries({ queryKey: myJobsQuery().queryKey })), [client])
  if (jobs.length === 0) return null
  const running = jobs.filter(isRunning)
  const runningJobs = running.length
  const measurable = running.reduce((sum, { total }) => sum + (total ?? 0), 0)
  // If the total of one job is unknown, so is the overall total.
  const progress =
    measurable > 0 && running.every(({ total }) => total)
      ? running.reduce((sum, { done }) => sum + done, 0) / measurable
      : undefined
  const newest = jobs.reduce((latest, { updated_at }) => (updated_at > latest ? updated_at : latest), '')
  const hasNews = runningJobs === 0 && newest > lastSeen()
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
          data-news={hasNews ? '' : undefined}
          aria-label={runningJobs > 0 ? t('open', { count: runningJobs, formatted: formatCount(runningJobs) }) : t('openIdle')}
        >
          {runningJobs > 0 ? <Spinner size={14} progress={progress} /> : <HourglassIcon />}
          {runningJobs > 0 && <span aria-hidden="true">{formatCount(runningJobs)}</span>}
        </button>
      }
    >
      <h2 className={styles['title']}>{t('title')}</h2>
      <ul className={styles['jobs']}>
        {jobs.map((job) => (
          <JobItem key={job.id} job={job} />
        ))}
      </ul>
    </Popover>
  )
}
