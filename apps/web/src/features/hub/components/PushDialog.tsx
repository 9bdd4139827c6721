import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { FailureReason } from '#features/jobs/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { isRunning, stopJob } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import { CompletedIcon, UploadIcon } from '#ui/marks/icons.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { beginExport, exportQuery } from '../api.ts'
import type { LastExport, PushDraft } from '../push-form.ts'
import { faultsOf, lastExport, repositoryName } from '../push-form.ts'
import styles from './PushDialog.module.css'

type Props = { readonly datasetId: string; readonly datasetName: string; readonly onClose: () => void }

/** Asks for the destination of a push to the Hub and shows the progress of the last push, which survives a reload. */
export const PushDialog = ({ datasetId, datasetName, onClose }: Props) => {
  const { t } = useTranslation('features/hub')
  const [last, setLast] = useState<LastExport | null>(() => lastExport.read(datasetId))
  const job = useQuery({ ...exportQuery(last?.jobId ?? ''), enabled: last !== null })
  const isPushing = last !== null && !job.error && (job.data === undefined || isRunning(job.data))
  return (
    <Dialog open onOpenChange={onClose} title={t('push.title')}>
      {last !== null && isPushing ? (
        <Running last={last} onClose={onClose} />
      ) : (
        <Form
          datasetId={datasetId}
          datasetName={datasetName}
          last={last}
          outcome={last && <Outcome last={last} />}
          onStarted={(started) => {
            lastExport.write(datasetId, started)
            setLast(started)
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

const Running = ({ last, onClose }: { readonly last: LastExport; readonly onClose: () => void }) => {
  const { t } = useTranslation('features/hub')
  const client = useQueryClient()
  const { data } = useQuery(exportQuery(last.jobId))
  const { done = 0, total = null, status } = data ?? {}
  const stop = useMutation({
    mutationFn: () => stopJob(last.jobId),
    onSettled: () => client.invalidateQueries({ queryKey: exportQuery(last.jobId).queryKey }),
  })
  const words =
    total === null || done === 0
      ? t('push.preparing')
      : done < total
        ? t('push.records', { count: total, done: formatCount(done), total: formatCount(total) })
        : t('push.sending')
  return (
    <div className={styles['form']}>
      <p>{t('push.running', { name: last.datasetName })}</p>
      <ProgressBar label={t('push.progress', { name: last.datasetName })} value={done} total={total ?? 0} text={words} />
      {status === 'scheduled' && data?.reason && (
        <FailureReason of={data}>{(reason) => <Notice kind="warning">{t('push.again', { reason })}</Notice>}</FailureReason>
      )}
      <p className={styles['hint']}>{t('push.goesOn')}</p>
      <div className={styles['actions']}>
        <Button busy={stop.isPending} onClick={() => stop.mutate()}>
          {t('push.stop')}
        </Button>
        <Button look="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </div>
  )
}

/** The result of the last push. If the server no longer knows the push, it is treated as failed. */
const Outcome = ({ last }: { readonly last: LastExport }) => {
  const { t } = useTranslation('features/hub')
  const { data, error } = useQuery(exportQuery(last.jobId))
  const name = last.datasetName
  if (data?.status === 'finished') return <Notice icon={CompletedIcon}>{t('push.done', { name })}</Notice>
  if (data?.status === 'canceled' || data?.status === 'stopped') return <Notice>{t('push.stopped', { name })}</Notice>
  const successText = data ?? { reason: error ? problemMessage(error) : '' }
  return (
    <FailureReason of={successText}>
      {(reason) => <Notice kind="danger">{t('push.failed', { name, reason })}</Notice>}
    </FailureReason>
  )
}

type FormProps = Props & {
  readonly last: LastExport | null
  readonly outcome: ReactNode
  readonly onStarted: (started: LastExport) => void
}

const Form = ({ datasetId, datasetName, last, outcome, onStarted, onClose }: FormProps) => {
  const { t } = useTranslation('features/hub')
  const id = useId()
  const [owner = '', name = repositoryName(datasetName)] = last?.datasetName.split('/') ?? []
  const [draft, setDraft] = useState<PushDraft>({ owner, name, isPrivate: true, token: '' })
  const [hasTried, setHasTried] = useState(false)
  const faults = faultsOf(draft)
  const repository = `${draft.owner.trim()}/${draft.name.trim()}`
  const start = useMutation({
    meta: { showsProblem: true },
    mutationFn: () => beginExport(datasetId, { name: repository, private: draft.isPrivate, token: draft.token.trim() }),
    onSuccess: (job) => onStarted({ jobId: job.id, datasetName: repository }),
  })
  const faultOf = (key: keyof typeof faults): string | null => {
    const fault = faults[key]
    return hasTried && fault ? t(`push.fault.${fault}`) : null
  }
  const tokenFault = faultOf('token')
  const common = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  const submit = (form: HTMLFormElement): void => {
    setHasTried(true)
    if (Object.values(faults).some((fault) => fault !== null)) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    } else if (!start.isPending) start.mutate()
  }
  return (
    <form
      id={id}
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {outcome && <div role="status">{outcome}</div>}
      <p className={styles['hint']}>{t('push.explain')}</p>
      <Input
        {...common}
        label={t('push.owner')}
        error={faultOf('owner')}
        value={draft.owner}
        onChange={(event) => setDraft({ ...draft, owner: event.target.value })}
      />
      <Input
        {...common}
        label={t('push.name')}
        error={faultOf('name')}
        value={draft.name}
        onChange={(event) => setDraft({ ...draft, name: event.target.value })}
      />
      <Input
        {...common}
        autoComplete="new-password"
        type="password"
        label={t('push.token')}
        hint={t('push.tokenHint')}
        error={tokenFault && `${tokenFault}. ${t('push.tokenHint')}`}
        value={draft.token}
        onChange={(event) => setDraft({ ...draft, token: event.target.value })}
      />
      <Switch
        label={t('push.private')}
        hint={t('push.privateHint')}
        checked={draft.isPrivate}
        onChange={(isPrivate) => setDraft({ ...draft, isPrivate })}
      />
      {start.error && <ProblemNotice error={start.error} isAlert />}
      <div className={styles['actions']}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" icon={UploadIcon} busy={start.isPending}>
          {t('push.start')}
        </Button>
      </div>
    </form>
  )
}
