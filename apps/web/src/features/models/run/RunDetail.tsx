import type { ModelRun } from '@postil/contract/model-runs.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FailureReason } from '#features/jobs/public.ts'
import { Panel } from '#features/overview/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { stopJob } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import { isAtWork } from '../api.ts'
import { useModels } from '../context.ts'
import styles from '../models.module.css'
import { formatCost } from '../numbers.ts'
import { RunState } from '../RunState.tsx'
import { TextBox } from '../TextBox.tsx'
import { useAction } from '../use-action.ts'
import { Alignment } from './Alignment.tsx'
import { FailedRecords } from './FailedRecords.tsx'

export const RunDetail = ({ run }: { readonly run: ModelRun }) => {
  const { t } = useTranslation('features/models')
  const { dataset } = useModels()
  const [isPromptShown, setPromptShown] = useState(false)
  const { job } = run
  const isPublishing = run.state !== 'running' && job !== null && isAtWork(run)
  const done = run.answered + run.failed
  const [current, total] = isPublishing ? [job.done ?? 0, job.total ?? 0] : [done, run.total]
  const progress = { done: formatCount(current), total: formatCount(total) }
  const published = job?.published
  return (
    <>
      <Link to="/dataset/$datasetId/models" params={{ datasetId: dataset.id }} search={{}} className={styles['link']}>
        {t('run.back')}
      </Link>
      <Panel
        title={run.agent}
        hint={t('run.about', { model: run.model, connection: run.connection?.name ?? t('run.connectionGone') })}
        sheet={null}
        tools={<Actions run={run} />}
      >
        <div className={styles['stack']}>
          <p>
            <RunState run={run} />
          </p>
          <ProgressBar
            label={t('run.progress')}
            value={current}
            total={total}
            text={isPublishing ? t('run.publishing', progress) : t('run.records', progress)}
          />
          {run.reason !== null && (
            <Notice kind="warning">
              <FailureReason of={run}>{(reason) => reason}</FailureReason>
            </Notice>
          )}
          <dl className={styles['figures']}>
            <Figure name={t('runs.answered')}>{formatCount(run.answered)}</Figure>
            <Figure name={t('runs.failed')}>{formatCount(run.failed)}</Figure>
            <Figure name={t('run.inputTokens')}>{formatCount(run.input_tokens)}</Figure>
            <Figure name={t('run.outputTokens')}>{formatCount(run.output_tokens)}</Figure>
            <Figure name={t('runs.cost')}>{run.cost === null ? '–' : formatCost(run.cost)}</Figure>
            {run.spend_cap !== null && <Figure name={t('run.cap')}>{formatCost(run.spend_cap)}</Figure>}
            {run.forecast?.cost != null && run.found > done && (
              <Figure name={t('run.forecast', { count: run.found, shown: formatCount(run.found) })}>
                {formatCost(run.forecast.cost)}
              </Figure>
            )}
          </dl>
          {published && !isPublishing && (
            <p role="status" className={styles['hint']}>
              {t('run.published', {
                stored: formatCount(published.stored),
                unchanged: formatCount(published.unchanged),
                changed: formatCount(published.changed),
                invalid: formatCount(published.invalid + published.gone),
              })}
            </p>
          )}
          <div>
            <Button
              look="quiet"
              className={styles['toggle']}
              aria-expanded={isPromptShown}
              onClick={() => setPromptShown(!isPromptShown)}
            >
              {isPromptShown ? t('run.hidePrompt') : t('run.showPrompt')}
            </Button>
            {isPromptShown && <TextBox label={t('form.prompt')}>{run.prompt}</TextBox>}
          </div>
        </div>
      </Panel>
      {run.failed > 0 && <FailedRecords run={run} />}
      {run.answered > 0 && run.state !== 'running' && <Alignment run={run} />}
    </>
  )
}

const Figure = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Actions = ({ run }: { readonly run: ModelRun }) => {
  const { t } = useTranslation('features/models')
  const { calls, dataset } = useModels()
  const navigate = useNavigate()
  const { busy, run: act } = useAction()
  const [isDeleting, setDeleting] = useState(false)
  const { job } = run
  if (job !== null && isAtWork(run)) {
    const stop = () => stopJob(job.id).then(() => calls.refresh())
    return (
      <Button busy={busy} onClick={() => void act(stop)}>
        {t('run.stop')}
      </Button>
    )
  }
  const isPaused = run.state !== 'finished'
  const remove = async (): Promise<void> => {
    if (!(await act(() => calls.remove(run.id)))) return
    setDeleting(false)
    await navigate({ to: '/dataset/$datasetId/models', params: { datasetId: dataset.id }, search: {} })
  }
  const isCapped = run.spend_cap !== null && run.cost !== null && run.cost >= run.spend_cap
  return (
    <span className={styles['choices']}>
      <Button look="quiet" onClick={() => setDeleting(true)}>
        {t('delete')}
      </Button>
      {run.failed > 0 && !isPaused && (
        <Button busy={busy} onClick={() => void act(() => calls.resume(run.id, { retry_failed: true }))}>
          {t('run.retry')}
        </Button>
      )}
      {isPaused && (
        <Button busy={busy} onClick={() => void act(() => calls.resume(run.id, isCapped ? { spend_cap: null } : {}))}>
          {isCapped ? t('run.resumeWithoutCap') : t('run.resume')}
        </Button>
      )}
      {run.published_at !== null && (
        <Button busy={busy} onClick={() => void act(() => calls.unpublish(run.id))}>
          {t('run.unpublish')}
        </Button>
      )}
      {run.answered > 0 && run.published_at === null && (
        <Button look="primary" busy={busy} onClick={() => void act(() => calls.publish(run.id))}>
          {t('run.publish', { count: run.answered, shown: formatCount(run.answered) })}
        </Button>
      )}
      {isDeleting && (
        <FormDialog
          title={t('run.deleteTitle', { name: run.agent })}
          submitLabel={t('delete')}
          look="danger"
          busy={busy}
          onSubmit={() => void remove()}
          onClose={() => setDeleting(false)}
        >
          <p>{t('run.deleteHint')}</p>
        </FormDialog>
      )}
    </span>
  )
}
