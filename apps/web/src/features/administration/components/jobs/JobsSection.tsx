import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { jobsQuery } from '../../instance-api.ts'
import styles from '../AdministrationPage.module.css'
import { SectionHeader } from '../SectionHeader.tsx'
import { JobRow } from './JobRow.tsx'

const kinds = ['all', 'goingOn', 'failed'] as const
type Shown = (typeof kinds)[number]
/** How many jobs are shown before "Show more". */
const page = 30

export const JobsSection = () => {
  const { t } = useTranslation('features/administration')
  const { data: jobs, error } = useQuery(jobsQuery())
  const [shown, setShown] = useState<Shown>('all')
  const [maxShown, setMaxShown] = useState(page)
  if (error && !jobs) throw error
  const list = jobs?.filter((job) => shown === 'all' || (shown === 'failed' ? job.status === 'failed' : isRunning(job)))
  return (
    <>
      <SectionHeader title={t('section.jobs')} count={jobs?.length}>
        <Select
          label={t('jobs.which')}
          value={shown}
          options={kinds.map((value) => ({ value, label: t(`jobs.shown.${value}`) }))}
          onChange={setShown}
        />
      </SectionHeader>
      {!list && <Skeleton height="9lh" />}
      {list?.length === 0 && <p className={styles['none']}>{shown === 'all' ? t('jobs.none') : t('jobs.noneOfThese')}</p>}
      <ul className={styles['list']} aria-labelledby="section-title">
        {list?.slice(0, maxShown).map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
      {list && list.length > maxShown && (
        <Button look="quiet" onClick={() => setMaxShown(maxShown + page)}>
          {t('jobs.more', { formatted: formatCount(list.length - maxShown) })}
        </Button>
      )}
    </>
  )
}
