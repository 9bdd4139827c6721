import type { ListedJob } from '@postil/contract/jobs.ts'
import { Link } from '@tanstack/react-router'
import { formatAgo, formatDateTime } from '#i18n/format.ts'
import { myJobsQuery } from '../api.ts'
import styles from './JobItem.module.css'
import { JobMark, JobTitle, StopJob, useJobTexts } from './JobParts.tsx'

export const JobItem = ({ job }: { readonly job: ListedJob }) => {
  const { title, state } = useJobTexts(job)
  return (
    <li className={styles['job']} data-status={job.status}>
      <JobMark status={job.status} className={styles['mark']} />
      <JobTitle job={job} title={title}>
        <span className={styles['title']}>{title}</span>
        {job.subject !== null && <bdi>{job.subject}</bdi>}
        {job.dataset ? (
          <Link to="/dataset/$datasetId/annotation-mode" params={{ datasetId: job.dataset.id }}>
            <bdi>{job.dataset.name}</bdi>
          </Link>
        ) : (
          job.dataset_name !== null && <bdi>{job.dataset_name}</bdi>
        )}
        <span className={styles['state']} title={formatDateTime(job.updated_at)}>
          {state} · {formatAgo(job.updated_at, Date.now())}
        </span>
      </JobTitle>
      <StopJob job={job} title={title} list={myJobsQuery().queryKey} />
    </li>
  )
}
