import { isRetired } from '@postil/contract/conditions.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { RecordedChange, SchemaVersion } from '@postil/contract/schema-versions.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatCount, formatDateTime, formatPercent } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { schemaVersionsQuery } from '#lib/api/schema-versions.ts'
import { isRunning, notifyJobStarted } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { resumeVersion, revertVersion } from './api.ts'
import { KeptRecords } from './KeptRecords.tsx'
import styles from './LabelVersions.module.css'
import { VersionTexts } from './VersionTexts.tsx'

type Props = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  /** Called when labels or answers have changed. */
  readonly onChanged: () => void
}

export const LabelVersions = ({ datasetId, questions, onChanged }: Props) => {
  const { t } = useTranslation('features/settings')
  const { data: versions = [] } = useQuery(schemaVersionsQuery(datasetId))
  const running = versions.find(({ job }) => job !== null && isRunning(job))?.no ?? null
  const before = useRef(running)
  useEffect(() => {
    if (before.current !== null && running === null) onChanged()
    before.current = running
  }, [running, onChanged])
  const [reverting, setReverting] = useState<number | null>(null)
  const outcome = {
    onSuccess: ({ job }: SchemaVersion) => {
      if (job) notifyJobStarted(job)
    },
    onError: toastProblem,
    onSettled: () => {
      setReverting(null)
      onChanged()
    },
  }
  const revert = useMutation({ mutationFn: (no: number) => revertVersion(datasetId, no), ...outcome })
  const resume = useMutation({ mutationFn: (no: number) => resumeVersion(datasetId, no), ...outcome })
  if (versions.length === 0) return null
  return (
    <section aria-labelledby="label-versions" className={styles['versions']}>
      <h3 id="label-versions" className={styles['title']}>
        {t('versions.title')}
      </h3>
      <ol className={styles['list']} reversed>
        {versions.map((version) => (
          <Version
            key={version.no}
            datasetId={datasetId}
            version={version}
            questions={questions}
            onRevert={() => setReverting(version.no)}
            onResume={() => resume.mutate(version.no)}
            isBusy={resume.isPending}
          />
        ))}
      </ol>
      <Dialog
        open={reverting !== null}
        onOpenChange={() => setReverting(null)}
        title={t('versions.revertTitle', { no: reverting ?? 0 })}
        actions={
          <>
            <Button onClick={() => setReverting(null)}>{t('cancel')}</Button>
            <Button look="primary" busy={revert.isPending} onClick={() => reverting !== null && revert.mutate(reverting)}>
              {t('versions.revert')}
            </Button>
          </>
        }
      >
        <p>{t('versions.revertHint')}</p>
      </Dialog>
    </section>
  )
}

type VersionProps = {
  readonly datasetId: string
  readonly version: SchemaVersion
  readonly questions: readonly Question[]
  readonly isBusy: boolean
  readonly onRevert: () => void
  readonly onResume: () => void
}

const Version = ({ datasetId, version, questions, isBusy, onRevert, onResume }: VersionProps) => {
  const { no, at, user, note, changes, job, revertible } = version
  const { t } = useTranslation('features/settings')
  const texts = useChangeTexts(questions, version)
  const done = job?.relabeled
  return (
    <li className={styles['version']} aria-label={t('versions.name', { no })}>
      <div className={styles['head']}>
        <strong>{t('versions.name', { no })}</strong>
        <span className={styles['quiet']}>
          <bdi>{user?.username ?? t('labels.formerUser')}</bdi>, {formatDateTime(at)}
        </span>
        {revertible && (
          <Button aria-label={t('versions.revertThis', { no })} onClick={onRevert}>
            {t('versions.revert')}
          </Button>
        )}
      </div>
      <ul className={styles['changes']}>
        {listedChanges(version).map((change) => (
          <li key={JSON.stringify(change)}>{texts(change)}</li>
        ))}
      </ul>
      {changes.some(({ type }) => type === 'edit_guidelines' || type === 'edit_description') && (
        <div>
          <VersionTexts datasetId={datasetId} no={no} questions={questions} />
        </div>
      )}
      {note !== null && <p className={styles['quiet']}>{note}</p>}
      {job !== null && isRunning(job) && (
        <ProgressBar
          label={t('versions.progress', { no })}
          value={job.done ?? 0}
          total={job.total || 1}
          text={formatPercent(Math.min(1, (job.done ?? 0) / (job.total || 1)))}
        />
      )}
      {job?.status === 'failed' && (
        <p className={styles['quiet']}>
          {t('versions.failed')}{' '}
          <Button look="quiet" busy={isBusy} aria-label={t('versions.resumeThis', { no })} onClick={onResume}>
            {t('versions.resume')}
          </Button>
        </p>
      )}
      {done && job?.status === 'finished' && (
        <p className={styles['quiet']}>
          {t('versions.done', { answers: formatCount(done.answers), suggestions: formatCount(done.suggestions) })}{' '}
          {done.due > 0 && t('versions.due', { count: done.due, shown: formatCount(done.due) })}{' '}
          {done.kept > 0 && t('versions.kept', { count: done.kept, shown: formatCount(done.kept) })}{' '}
          {done.kept > 0 && <KeptRecords datasetId={datasetId} no={no} counts={done} />}
        </p>
      )}
    </li>
  )
}

/** A change to a question as a whole, not to its labels. */
type WholeChange = Extract<RecordedChange, { readonly type: 'add_question' | 'edit_description' | 'edit_condition' }>

const isWhole = (change: RecordedChange): change is WholeChange =>
  change.type === 'add_question' || change.type === 'edit_description' || change.type === 'edit_condition'

/** Returns the changes to list for a version. If the version added a question, its condition isn't listed separately. */
const listedChanges = ({ changes }: SchemaVersion): readonly RecordedChange[] => {
  const added = new Set(changes.flatMap((change) => (change.type === 'add_question' ? [change.question_id] : [])))
  return changes.filter((change) => change.type !== 'edit_condition' || !added.has(change.question_id))
}

/** Returns what changed in a version, in words. */
const useChangeTexts = (questions: readonly Question[], version: SchemaVersion): ((change: RecordedChange) => string) => {
  const { t } = useTranslation('features/settings')
  const ofQuestion = useQuestionTexts(questions, version)
  return (change) => {
    if (change.type === 'revert') return t('change.revert', { no: change.no })
    if (change.type === 'edit_guidelines') return t('change.guidelines')
    return ofQuestion(change)
  }
}

/** Returns the text for a change that concerns a question. */
const useQuestionTexts = (questions: readonly Question[], version: SchemaVersion) => {
  const { t } = useTranslation('features/settings')
  /**
   * Returns the name that a label had before this version. If this version added the label, returns the name that it was given.
   */
  const nameOf = (questionId: string, label: string): string => {
    const labels = version.questions.find(({ question_id }) => question_id === questionId)
    const options = [...(labels?.before.options ?? []), ...(labels?.after.options ?? [])]
    return options.find(({ value }) => value === label)?.text ?? label
  }
  const ofWhole = (change: WholeChange, question: string): string => {
    if (change.type === 'add_question') return t('change.addQuestion', { question })
    if (change.type === 'edit_description') return t('change.description', { question })
    if (isRetired({ shown_when: change.after })) return t('change.retireQuestion', { question })
    if (isRetired({ shown_when: change.before })) return t('change.restoreQuestion', { question })
    return t('change.condition', { question })
  }
  return (change: Exclude<RecordedChange, { readonly type: 'revert' | 'edit_guidelines' }>): string => {
    const question = questions.find(({ id }) => id === change.question_id)?.title ?? ''
    if (isWhole(change)) return ofWhole(change, question)
    const name = (label: string) => nameOf(change.question_id, label)
    if (change.type === 'rename_label') return t('change.rename', { question, label: name(change.label), text: change.text })
    if (change.type === 'merge_labels')
      return t('change.merge', { question, labels: change.labels.map(name).join(', '), into: name(change.into) })
    if (change.type === 'split_label')
      return t('change.split', { question, label: name(change.label), into: change.into.map(({ text }) => text).join(', ') })
    if (change.type === 'add_label') return t('change.add', { question, label: change.text })
    if (change.type === 'retire_label') return t('change.retire', { question, label: name(change.label) })
    if (change.type === 'restore_label') return t('change.restore', { question, label: name(change.label) })
    if (change.type === 'reorder') return t('change.reorder', { question })
    return t('change.edit', { question })
  }
}
