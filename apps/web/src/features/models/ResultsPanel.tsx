import type { AlignmentReference, QuestionAlignment } from '@postil/contract/model-alignment.ts'
import type { ModelRun } from '@postil/contract/model-runs.ts'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCoefficient, formatShare, Panel, TableScroller, tableClass } from '#features/overview/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { alignmentQuery } from './api.ts'
import { useModels } from './context.ts'
import styles from './models.module.css'
import { Coefficient } from './Rate.tsx'
import { RunLink } from './RunsPanel.tsx'

/** How many runs are compared at first, and how many are added each time. The server takes a while for each run. */
const RUNS = 6

export const useReferences = () => {
  const { t } = useTranslation('features/models')
  return (['gold', 'majority'] as const).map((value) => ({ value, label: t(`results.${value}`) }))
}

/** Compares the results of several model runs for one question, side by side. */
export const ResultsPanel = () => {
  const { t } = useTranslation('features/models')
  const { runs, questions } = useModels()
  const references = useReferences()
  const answered = runs.filter(({ answered: count, state }) => count > 0 && state !== 'running')
  const asked = questions.filter(({ name }) => answered.some((run) => run.questions.includes(name)))
  const [chosen, setChosen] = useState<string | null>(null)
  const [against, setAgainst] = useState<AlignmentReference>('gold')
  const [count, setCount] = useState(RUNS)
  const question = asked.find(({ name }) => name === chosen) ?? asked[0]
  const own = question === undefined ? [] : answered.filter((run) => run.questions.includes(question.name))
  const shown = own.slice(0, count)
  const results = useQueries({ queries: shown.map((run) => alignmentQuery(run, { against, split: 'dev' })) })
  if (question === undefined) return null
  const found = results.map(({ data }) => data?.questions.find(({ name }) => name === question.name) ?? null)
  const failure = results.find(({ error }) => error !== null)?.error
  return (
    <Panel
      title={t('results.title')}
      hint={t('results.hint')}
      tools={
        <span className={styles['choices']}>
          <Select
            label={t('results.question')}
            value={question.name}
            options={asked.map(({ name, title }) => ({ value: name, label: title }))}
            onChange={setChosen}
          />
          <Select label={t('results.against')} value={against} options={references} onChange={setAgainst} />
        </span>
      }
      sheet={{
        head: [t('runs.run'), t('runs.model'), t('results.records'), t('results.equal'), t('results.alpha'), t('results.kappa')],
        rows: shown.map((run, i) => [
          run.agent,
          run.model,
          found[i]?.records ?? '',
          found[i]?.equal ?? '',
          found[i]?.value ?? '',
          found[i]?.kappa?.value ?? '',
        ]),
      }}
    >
      {failure && <ProblemNotice error={failure} />}
      <TableScroller label={t('results.title')}>
        <table className={classNames(tableClass, styles['table'])}>
          <thead>
            <tr>
              <th scope="col">{t('runs.run')}</th>
              <th scope="col">{t('runs.model')}</th>
              <th scope="col" data-number="">
                {t('results.records')}
              </th>
              <th scope="col" data-number="">
                {t('results.equal')}
              </th>
              <th scope="col">{t('results.alpha')}</th>
              <th scope="col">{t('results.kappa')}</th>
              <th scope="col">{t('results.human')}</th>
              <th scope="col" data-number="">
                {t('results.ece')}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((run, i) => (
              <ResultRow key={run.id} run={run} found={found[i] ?? null} isPending={results[i]?.isPending ?? false} />
            ))}
          </tbody>
        </table>
      </TableScroller>
      {own.length > count && <Button onClick={() => setCount(count + RUNS)}>{t('results.more')}</Button>}
    </Panel>
  )
}

type RowProps = { readonly run: ModelRun; readonly found: QuestionAlignment | null; readonly isPending: boolean }

const ResultRow = ({ run, found, isPending }: RowProps) => (
  <tr aria-busy={isPending}>
    <th scope="row">
      <RunLink run={run} />
    </th>
    <td>
      <bdi>{run.model}</bdi>
    </td>
    {found === null ? (
      <td colSpan={6}>{isPending && <Skeleton height="1lh" />}</td>
    ) : (
      <>
        <td data-number="">{formatCount(found.records)}</td>
        <td data-number="">{formatShare(found.equal, found.records)}</td>
        <td>
          <Coefficient value={found.value} interval={found.interval} />
        </td>
        <td>
          <Coefficient value={found.kappa?.value ?? null} interval={found.kappa?.interval ?? null} />
        </td>
        <td>
          <Coefficient value={found.human.value} interval={found.human.interval} />
        </td>
        <td data-number="">{found.calibration === null ? '–' : formatCoefficient(found.calibration.ece)}</td>
      </>
    )}
  </tr>
)
