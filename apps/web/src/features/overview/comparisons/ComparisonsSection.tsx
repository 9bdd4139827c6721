import type { ComparisonReport } from '@postil/contract/comparisons.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { fieldsQuery, metadataPropertiesQuery } from '#lib/api/dataset-queries.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { useOverview } from '../context.ts'
import { formatShare } from '../parts/format.ts'
import { Panel } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import sectionStyles from '../sections/sections.module.css'
import { comparisonsQuery, type ModelProperties } from './api.ts'
import styles from './comparisons.module.css'
import { ModelRanking } from './ModelRanking.tsx'
import { likelyProperties } from './model-properties.ts'

/** The answers to comparison questions: preferred fields, side bias and a ranking of models. */
export const ComparisonsSection = () => {
  const { t } = useTranslation('features/overview')
  const { dataset, questions } = useOverview()
  const properties = useQuery(metadataPropertiesQuery(dataset.id))
  const fields = useQuery(fieldsQuery(dataset.id))
  const compared = questions.flatMap(({ settings }) => ('compare' in settings ? [settings.compare] : []))
  const [chosen, setChosen] = useState<ModelProperties | null | undefined>(undefined)
  const [first, second] = [...new Set(Object.values(compared[0]?.options ?? {}))]
  const names = (properties.data ?? []).filter(({ settings }) => settings.type === 'terms').map(({ name }) => name)
  const likely = first !== undefined && second !== undefined ? likelyProperties([first, second], names) : null
  const models = chosen === undefined ? likely : chosen
  const isReady = properties.data !== undefined && fields.data !== undefined && compared.length > 0
  const reports = useQuery({ ...comparisonsQuery(dataset.id, models), enabled: isReady })
  if (compared.length === 0) return <EmptyState title={t('comparisons.none')} hint={t('comparisons.noneHint')} />
  const failed = [reports, properties, fields].find(({ error, data }) => error && !data)
  if (failed?.error)
    return <ProblemNotice error={failed.error} action={<Button onClick={() => void failed.refetch()}>{t('again')}</Button>} />
  if (!reports.data || !properties.data || !fields.data) return <Skeleton height="18rem" />
  const titleOf = (name: string): string => fields.data.find((field) => field.name === name)?.title ?? name
  const choose = (side: keyof ModelProperties, name: string): void => {
    const other = side === 'first' ? (models?.second ?? name) : (models?.first ?? name)
    setChosen(name === '' ? null : side === 'first' ? { first: name, second: other } : { first: other, second: name })
  }
  const options = [
    { value: '', label: t('comparisons.noProperty') },
    ...properties.data.filter(({ name }) => names.includes(name)).map(({ name, title }) => ({ value: name, label: title })),
  ]
  return (
    <div className={sectionStyles['stack']}>
      {names.length > 0 && first !== undefined && second !== undefined && (
        <div className={styles['properties']}>
          {(['first', 'second'] as const).map((side) => {
            const label = t('comparisons.modelOf', { field: titleOf(side === 'first' ? first : second) })
            return (
              <div key={side} className={styles['property']}>
                <span className={styles['label']} aria-hidden="true">
                  {label}
                </span>
                <Select label={label} value={models?.[side] ?? ''} options={options} onChange={(name) => choose(side, name)} />
              </div>
            )
          })}
        </div>
      )}
      {reports.data.map((report) => (
        <Report key={report.question_id} report={report} titleOf={titleOf} />
      ))}
    </div>
  )
}

type ReportProps = { readonly report: ComparisonReport; readonly titleOf: (field: string) => string }

const Report = ({ report, titleOf }: ReportProps) => {
  const { t } = useTranslation('features/overview')
  const { questions } = useOverview()
  const { question_id, name, answers, fields, ties, both_bad, sides, models } = report
  const question = questions.find(({ id }) => id === question_id)
  const title = question?.title ?? name
  const compare = question && 'compare' in question.settings ? question.settings.compare : null
  const rows: readonly (readonly [string, number])[] = [
    ...fields.map((field) => [titleOf(field.name), field.preferred] as const),
    ...(compare?.ties == null ? [] : [[t('comparisons.ties'), ties] as const]),
    ...(compare?.both_bad == null ? [] : [[t('comparisons.bothBad'), both_bad] as const]),
  ]
  return (
    <>
      <Panel
        title={title}
        hint={t('comparisons.answers', { count: answers, shown: formatCount(answers) })}
        sheet={
          answers === 0 ? null : { head: [t('comparisons.answer'), t('comparisons.count')], rows: rows.map((row) => [...row]) }
        }
      >
        {answers > 0 && (
          <table className={partStyles['table']}>
            <thead>
              <tr>
                <th scope="col">{t('comparisons.answer')}</th>
                <th scope="col" data-number="">
                  {t('comparisons.count')}
                </th>
                <th scope="col" data-number="">
                  {t('comparisons.share')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([label, count]) => (
                <tr key={label}>
                  <th scope="row">
                    <bdi>{label}</bdi>
                  </th>
                  <td data-number="">{formatCount(count)}</td>
                  <td data-number="">{formatShare(count, answers)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {sides.share && (
          <p className={classNames(partStyles['hint'], styles['sides'])}>
            {t('comparisons.sides', {
              count: sides.answers,
              shown: formatCount(sides.answers),
              share: formatShare(sides.share.value, 1),
              low: formatShare(sides.share.low, 1),
              high: formatShare(sides.share.high, 1),
            })}
          </p>
        )}
      </Panel>
      {models && <ModelRanking title={title} models={models} />}
    </>
  )
}
