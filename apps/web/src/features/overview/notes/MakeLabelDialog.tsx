import type { Job } from '@postil/contract/jobs.ts'
import type { NoteGroup } from '@postil/contract/notes.ts'
import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { LabelsSnapshot } from '@postil/contract/schema-versions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { codedText } from '#lib/api/messages.ts'
import { type UndoableJob, useUndoableJob } from '#lib/use-undoable-job.ts'
import { Input } from '#ui/controls/Input.tsx'
import { RadioList } from '#ui/controls/RadioList.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import { useOverview } from '../context.ts'
import { addLabel, labelNotes, planLabel, undoLabels } from './api.ts'
import styles from './notes.module.css'

type Props = {
  /** The question that collects the notes. */
  readonly question: Question
  readonly groups: readonly NoteGroup[]
  /** The vectors by which the notes are grouped. Null if the notes are grouped by their words. */
  readonly vector: string | null
  /** The names of the questions to which a label can be added. */
  readonly targetNames: readonly string[]
  readonly onStarted: () => void
  readonly onClose: () => void
}

const longestName = 200
const statuses = ['draft', 'submitted'] as const

/**
 * Creates a label from groups of notes and adds it to a question. Also adds it to the user's answers for records with these
 * notes.
 */
export const MakeLabelDialog = ({ question, groups, vector, targetNames, onStarted, onClose }: Props) => {
  const { t } = useTranslation('features/overview')
  const { dataset, questions } = useOverview()
  const client = useQueryClient()
  const targets = questions.filter((one) => targetNames.includes(one.name))
  const [targetId, setTargetId] = useState(targets[0]?.id ?? '')
  const [name, setName] = useState(groups[0]?.text.slice(0, longestName) ?? '')
  const [status, setStatus] = useState<(typeof statuses)[number]>('draft')
  const [problem, setProblem] = useState<unknown>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isPlanning, setPlanning] = useState(false)
  const { run, isStarting } = useUndoableJob({
    key: 'notes',
    texts: { running: t('notes.running'), stopped: t('notes.failed'), undo: t('notes.undo') },
    onEnded: () => {
      void client.invalidateQueries({ queryKey: ['dataset', dataset.id] })
      void client.invalidateQueries({ queryKey: ['record'] })
    },
  })
  const target = targets.find(({ id }) => id === targetId)
  const label = name.trim()
  const known = target && labelsIn(target.settings).find((one) => [one.text, one.value].includes(label))

  const counted = ({ answers }: Job) => ({ count: answers?.stored ?? 0, shown: formatCount(answers?.stored ?? 0) })
  const described = (job: Job): string => {
    const left = job.answers?.invalid ?? 0
    const done = t('notes.done', { ...counted(job), label })
    return left === 0 ? done : `${done} ${t('notes.left', { count: left, shown: formatCount(left) })}`
  }
  const undoing = (id: string): UndoableJob => ({
    start: () => undoLabels(dataset.id, id),
    describe: (job) => t('notes.undone', counted(job)),
    undo: () => null,
  })
  const submit = async (): Promise<void> => {
    if (target === undefined) return
    setProblem(null)
    setRefusal(null)
    setPlanning(true)
    try {
      if (known === undefined) {
        const { token, refused } = await planLabel(dataset.id, target.id, label)
        const [fault] = refused
        if (token === null) {
          setRefusal(fault === undefined ? '' : codedText(fault.reason_parts, fault.reason))
          return
        }
        await addLabel(dataset.id, token, t('notes.versionNote', { title: question.title }))
        void client.invalidateQueries({ queryKey: ['dataset', dataset.id] })
      }
    } catch (error) {
      setProblem(error)
      return
    } finally {
      setPlanning(false)
    }
    const started = await run({
      start: () =>
        labelNotes(dataset.id, {
          question: question.name,
          vector,
          groups: groups.map(({ key }) => key),
          label: { question: target.name, value: known?.value ?? label },
          status,
        }),
      describe: described,
      undo: ({ id, answers }) => ((answers?.stored ?? 0) > 0 ? undoing(id) : null),
    })
    if (!started) return
    onStarted()
    onClose()
  }

  return (
    <FormDialog
      title={t('notes.make')}
      submitLabel={known === undefined ? t('notes.addAndAnswer') : t('notes.answer')}
      busy={isPlanning || isStarting}
      blocked={target === undefined || label === ''}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div className={styles['form']}>
        {targets.length === 0 ? (
          <p role="alert">{t('notes.noTarget')}</p>
        ) : (
          <>
            <p className={styles['hint']}>{t('notes.makeHint', { count: groups.length, shown: formatCount(groups.length) })}</p>
            <div className={styles['field']}>
              <span className={styles['label']} aria-hidden="true">
                {t('notes.target')}
              </span>
              <Select
                label={t('notes.target')}
                value={targetId}
                options={targets.map(({ id, title }) => ({ value: id, label: title }))}
                onChange={setTargetId}
              />
            </div>
            <Input
              label={t('notes.label')}
              hint={known === undefined ? t('notes.newLabel') : t('notes.knownLabel')}
              error={refusal}
              value={name}
              maxLength={longestName}
              onChange={({ target: input }) => {
                setName(input.value)
                setRefusal(null)
              }}
            />
            <RadioList
              legend={t('notes.status')}
              value={status}
              options={statuses.map((value) => ({ value, label: t(`notes.as.${value}`), hint: t(`notes.asHint.${value}`) }))}
              onChange={setStatus}
            />
          </>
        )}
      </div>
    </FormDialog>
  )
}

/** The labels that a question offers. */
const labelsIn = (settings: Question['settings']): readonly { readonly value: string; readonly text: string }[] =>
  offeredOptions({ options: [], ...(settings as Partial<LabelsSnapshot>) })
