import type { ListedJob } from '@postil/contract/jobs.ts'
import { Link } from '@tanstack/react-router'
import { JobMark, JobTitle, StopJob, useJobTexts } from '#features/jobs/public.ts'
import { formatAgo, formatCount, formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { jobsQuery } from '../../instance-api.ts'
import styles from './Jobs.module.css'

export const JobRow = ({ job }: { readonly job: ListedJob }) => {
  const { t } = useTranslation('features/administration')
  const { title, state } = useJobTexts(job)
  const facts = [
    job.user ? t('jobs.by', { username: job.user.username }) : t('jobs.byServer'),
    formatDateTime(job.inserted_at),
    job.import && t('jobs.imported', { count: job.import.rows, formatted: formatCount(job.import.rows) }),
    job.import &&
      job.import.failed > 0 &&
      t('jobs.leftOut', { count: job.import.failed, formatted: formatCount(job.import.failed) }),
  ].filter((fact): fact is string => typeof fact === 'string')
  return (
    <li className={styles['job']} data-status={job.status}>
      <span className={styles['status']}>
        <JobMark status={job.status} />
        {state}
      </span>
      <JobTitle job={job} title={title}>
        <span className={styles['title']}>
          {title}
          {job.subject !== null && <bdi className={styles['subject']}>{job.subject}</bdi>}
          {job.dataset ? (
            <Link to="/dataset/$datasetId/settings" params={{ datasetId: job.dataset.id }}>
              <bdi>{job.dataset.name}</bdi>
            </Link>
          ) : (
            job.dataset_name !== null && <bdi>{job.dataset_name}</bdi>
          )}
        </span>
        <span className={styles['facts']} title={formatAgo(job.updated_at, Date.now())}>
          {facts.join(' · ')}
        </span>
      </JobTitle>
      <StopJob job={job} title={title} list={jobsQuery().queryKey} />
    </li>
  )
}
