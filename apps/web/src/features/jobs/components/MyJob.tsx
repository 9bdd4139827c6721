import type { ListedJob } from '@postil/contract/jobs.ts'
import { Link } from '@tanstack/react-router'
import { formatAgo, formatDateTime } from '#i18n/format.ts'
import { myJobsQuery } from '../api.ts'
import { JobMark, JobWhat, StopJob, useJobWords } from './JobParts.tsx'
import styles from './MyJob.module.css'

/** One job of the caller: what it is about, how far it came, and why it did not go on. */
export const MyJob = ({ job }: { readonly job: ListedJob }) => {
  const { title, state } = useJobWords(job)
  return (
    <li className={styles['job']} data-status={job.status}>
      <JobMark status={job.status} className={styles['mark']} />
      <JobWhat job={job} title={title}>
        <span className={styles['title']}>{title}</span>
        {job.subject !== null && <bdi>{job.subject}</bdi>}
        {job.dataset && (
          <Link to="/dataset/$datasetId/annotation-mode" params={{ datasetId: job.dataset.id }}>
            <bdi>{job.dataset.name}</bdi>
          </Link>
        )}
        <span className={styles['state']} title={formatDateTime(job.updated_at)}>
          {state} · {formatAgo(job.updated_at, Date.now())}
        </span>
      </JobWhat>
      <StopJob job={job} title={title} list={myJobsQuery().queryKey} />
    </li>
  )
}
