import type { ModelRun } from '@postil/contract/model-runs.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Panel, TableScroller, tableClass } from '#features/overview/public.ts'
import { formatAgo, formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { useModels } from './context.ts'
import styles from './models.module.css'
import { formatCost } from './numbers.ts'
import { RunState } from './RunState.tsx'
import { RunDialog } from './run/RunDialog.tsx'

export const RunsPanel = () => {
  const { t } = useTranslation('features/models')
  const { runs, connections } = useModels()
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title={t('runs.title')}
      hint={t('runs.hint')}
      sheet={null}
      tools={
        <Button look="primary" blocked={connections.length === 0} onClick={() => setOpen(true)}>
          {t('runs.new')}
        </Button>
      }
    >
      {runs.length === 0 ? <p className={styles['hint']}>{t('runs.none')}</p> : <RunTable runs={runs} />}
      {isOpen && <RunDialog onClose={() => setOpen(false)} />}
    </Panel>
  )
}

/** A link to a run, named after its prompt and version. */
export const RunLink = ({ run }: { readonly run: ModelRun }) => {
  const { dataset } = useModels()
  return (
    <Link to="/dataset/$datasetId/models" params={{ datasetId: dataset.id }} search={{ run: run.id }} className={styles['link']}>
      <bdi>{run.agent}</bdi>
    </Link>
  )
}

const RunTable = ({ runs }: { readonly runs: readonly ModelRun[] }) => {
  const { t } = useTranslation('features/models')
  const now = Date.now()
  return (
    <TableScroller label={t('runs.title')}>
      <table className={classNames(tableClass, styles['table'])}>
        <thead>
          <tr>
            <th scope="col">{t('runs.run')}</th>
            <th scope="col">{t('runs.model')}</th>
            <th scope="col">{t('runs.state')}</th>
            <th scope="col" data-number="">
              {t('runs.answered')}
            </th>
            <th scope="col" data-number="">
              {t('runs.failed')}
            </th>
            <th scope="col" data-number="">
              {t('runs.tokens')}
            </th>
            <th scope="col" data-number="">
              {t('runs.cost')}
            </th>
            <th scope="col">{t('runs.started')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <RunLink run={run} />
                {run.dry_run && <span className={styles['hint']}> · {t('runs.trial')}</span>}
              </th>
              <td>
                <bdi>{run.model}</bdi>
              </td>
              <td>
                <RunState run={run} />
              </td>
              <td data-number="">{t('runs.of', { done: formatCount(run.answered), total: formatCount(run.total) })}</td>
              <td data-number="">{formatCount(run.failed)}</td>
              <td data-number="">{formatCount(run.input_tokens + run.output_tokens)}</td>
              <td data-number="">{run.cost === null ? '–' : formatCost(run.cost)}</td>
              <td>{formatAgo(run.inserted_at, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  )
}
