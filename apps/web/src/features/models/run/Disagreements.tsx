import type { AlignmentReference, AlignmentSplit } from '@postil/contract/model-alignment.ts'
import type { ModelRun } from '@postil/contract/model-runs.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { TableScroller, tableClass } from '#features/overview/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { valueText } from '#question-types/value-text.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { DISAGREEMENTS, disagreementsQuery } from '../api.ts'
import { useModels } from '../context.ts'
import styles from '../models.module.css'

type Props = {
  readonly run: ModelRun
  readonly question: Question
  /** Number of records. */
  readonly count: number
  readonly against: AlignmentReference
  readonly split: AlignmentSplit
}

/** The records for which the model's answer differs from the reference. Each record can be opened in the table of records. */
export const Disagreements = (props: Props) => {
  const { t } = useTranslation('features/models')
  const [isOpen, setOpen] = useState(false)
  const { count } = props
  return (
    <div>
      <Button look="quiet" className={styles['toggle']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('disagreements.show', { count, shown: formatCount(count) })}
      </Button>
      {isOpen && <List {...props} />}
    </div>
  )
}

const List = ({ run, question, count, against, split }: Props) => {
  const { t } = useTranslation('features/models')
  const { dataset } = useModels()
  const [page, setPage] = useState(0)
  const { data, error } = useQuery(disagreementsQuery(run, question.name, page, { against, split }))
  if (error) return <ProblemNotice error={error} />
  if (!data) return <Skeleton height="8rem" />
  return (
    <>
      <TableScroller label={t('disagreements.title')}>
        <table className={classNames(tableClass, styles['table'])}>
          <thead>
            <tr>
              <th scope="col">{t('disagreements.record')}</th>
              <th scope="col">{t('disagreements.model')}</th>
              <th scope="col">{t(`results.${against}`)}</th>
              {run.rationale && <th scope="col">{t('disagreements.rationale')}</th>}
            </tr>
          </thead>
          <tbody>
            {data.map(({ record_id, value, expected, rationale }) => (
              <tr key={record_id}>
                <th scope="row">
                  <Link
                    to="/dataset/$datasetId/record/$recordId"
                    params={{ datasetId: dataset.id, recordId: record_id }}
                    className={styles['link']}
                  >
                    {t('openRecord', { id: record_id.slice(-6) })}
                  </Link>
                </th>
                <td className={styles['value']}>
                  <bdi>{valueText(question, value)}</bdi>
                </td>
                <td className={styles['value']}>
                  <bdi>{valueText(question, expected)}</bdi>
                </td>
                {run.rationale && <td className={styles['value']}>{rationale}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      {count > DISAGREEMENTS && (
        <span className={styles['choices']}>
          <Button blocked={page === 0} onClick={() => setPage(page - 1)}>
            {t('disagreements.previous')}
          </Button>
          <Button blocked={(page + 1) * DISAGREEMENTS >= count} onClick={() => setPage(page + 1)}>
            {t('disagreements.next')}
          </Button>
        </span>
      )}
    </>
  )
}
