import type { ModelRun } from '@postil/contract/model-runs.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FailureReason } from '#features/jobs/public.ts'
import { Panel } from '#features/overview/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { call } from '#lib/api/client.ts'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useModels } from '../context.ts'
import styles from '../models.module.css'

const SHOWN = 10

/** The first records without a valid answer, with the reasons. */
export const FailedRecords = ({ run }: { readonly run: ModelRun }) => {
  const { t } = useTranslation('features/models')
  const { dataset } = useModels()
  const { data, error } = useQuery({
    queryKey: ['model-run', run.id, 'failed', run.failed],
    queryFn: async ({ signal }) =>
      (await call('GET /model-runs/:run_id/items', { params: { run_id: run.id }, query: { failed: true, limit: SHOWN }, signal }))
        .items,
  })
  return (
    <Panel title={t('failed.title')} hint={t('failed.hint', { shown: SHOWN })} sheet={null}>
      {error && <ProblemNotice error={error} />}
      {!data && !error && <Skeleton height="4lh" />}
      <ul className={styles['plain']}>
        {data?.map((item) => (
          <li key={item.record_id}>
            <Link
              to="/dataset/$datasetId/record/$recordId"
              params={{ datasetId: dataset.id, recordId: item.record_id }}
              className={styles['link']}
            >
              {t('openRecord', { id: item.record_id.slice(-6) })}
            </Link>{' '}
            <FailureReason of={item}>{(reason) => reason}</FailureReason>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
