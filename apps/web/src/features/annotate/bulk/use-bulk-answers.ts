import type { Question } from '@postil/contract/questions.ts'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { bulkConfirmAbove } from '#lib/constants.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { AnswerStatus } from '#lib/outbox/types.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { toast } from '#ui/feedback/toast.ts'
import type { Annotator } from '../answering/annotator.ts'
import { emptyAnswers, isOfRecord, valuesToSend } from '../answering/answers.ts'
import { type BulkAnswer, bulkAnswerFor, isUnseen } from '../answering/bulk-answer.ts'
import { createForm } from '../answering/form.ts'
import { useRecordScreen } from '../answering/use-record-screen.ts'
import type { ListItem } from '../queue/list-item.ts'
import type { JobUndo } from './use-job-undo.ts'

const noop = (): void => {}

/**
 * Where the answers come from: the form, or the records' suggestions. With `suggestions`, questions without an accepted
 * suggestion get the form's answers.
 */
export type BulkSource = 'form' | 'suggestions'
export type BulkAction = { readonly status: AnswerStatus; readonly source: BulkSource }
/**
 * A question whose suggestions can be accepted, and the number of selected records that have a suggestion for it. The number is
 * null if it is unknown.
 */
export type Offer = { readonly question: Question; readonly count: number | null }

const noNames: ReadonlySet<string> = new Set()

type Options = {
  readonly annotator: Annotator
  readonly questions: readonly Question[]
  /** The questions that are answered once for all records. */
  readonly common: readonly Question[]
  readonly selected: readonly ListItem[]
  /** The selection of all matching records. Null if only records on the page are selected. */
  readonly matched: {
    readonly count: number
    readonly start: (action: BulkAnswer & { readonly source: BulkSource }) => void
  } | null
  readonly jobUndo: JobUndo
  readonly onDone: () => void
}

/**
 * The form for answering several records at once, and its actions. The form keeps its values after it is submitted, because the
 * next records often get the same answers.
 */
export const useBulkAnswers = ({ annotator, questions, common, selected, matched, jobUndo, onDone }: Options) => {
  const { t } = useTranslation('features/annotate')
  const form = useMemo(() => createForm({ questions: common, base: emptyAnswers(common), edits: null, onEdits: noop }), [common])
  /** Increases when the answers are submitted or cleared. Each increase clears the marks on missing answers. */
  const [round, setRound] = useState(0)
  const [confirming, setConfirming] = useState<BulkAction | null>(null)
  const [accepted, setAccepted] = useState(noNames)
  const depthAtLastAction = useRef(0)
  /** The ID of a job on the server if the user's last action started it, otherwise null. */
  const lastJob = useRef<string | null>(null)
  // A key that answers the only question must not also submit: it would answer many records at once.
  const screen = useRecordScreen({ id: `bulk ${round}`, form, questions: common, metadata: undefined, onQuickAnswer: noop })

  const ownAnswers = (item: ListItem): Answers => annotator.formOf(item).snapshot().answers
  /** Returns the questions for which a bulk action may store unconfirmed suggestions. */
  const offersFor = ({ status, source }: BulkAction): readonly Offer[] => {
    if (status !== 'submitted') return []
    const offered = source === 'suggestions' ? questions : questions.filter(isOfRecord)
    if (matched) return offered.map((question) => ({ question, count: null }))
    return offered
      .map((question) => ({ question, count: selected.filter((item) => isUnseen(question, ownAnswers(item))).length }))
      .filter(({ count }) => count > 0)
  }
  const bulkAnswer = (status: AnswerStatus): BulkAnswer => ({ status, common: form.snapshot().answers, accepted })

  const apply = ({ status, source }: BulkAction): void => {
    const { depth } = form.snapshot()
    // The dialog stays open until the server has started the job or rejected it.
    if (matched) {
      matched.start({ ...bulkAnswer(status), source })
      return
    }
    setConfirming(null)
    const answer = bulkAnswer(status)
    if (!annotator.saveAll(selected, status, (record, own) => bulkAnswerFor(questions, record, own, answer))) return
    depthAtLastAction.current = depth
    lastJob.current = null
    setRound((before) => before + 1)
    onDone()
  }
  /** @returns whether the undo command was handled here, by undoing the job or by asking the user to undo it later */
  const undoJob = (id: string): boolean => {
    if (jobUndo.isRunningJob || !jobUndo.hasEnded(id)) {
      toast({ text: t('bulk.job.undoLater') })
      return true
    }
    lastJob.current = null
    if (jobUndo.id !== id) return false
    jobUndo.undo(id)
    return true
  }
  return {
    screen,
    /** The action that is awaiting confirmation. */
    confirming,
    save: (status: AnswerStatus): void => {
      const action = { status, source: 'form' } as const
      if (selected.length === 0 && !matched) announce(t('bulk.noneSelected'))
      else if (status === 'submitted' && screen.missing.length > 0) screen.showMissing()
      else if (annotator.isTooLarge(valuesToSend(screen.questions, form.snapshot().answers))) return
      else {
        setAccepted(noNames)
        if (matched || selected.length > bulkConfirmAbove || offersFor(action).length > 0) setConfirming(action)
        else apply(action)
      }
    },
    /** Asks which of the records' suggestions to submit. */
    acceptSuggestions: (): void => {
      const action = { status: 'submitted', source: 'suggestions' } as const
      setAccepted(new Set(offersFor(action).map(({ question }) => question.name)))
      setConfirming(action)
    },
    offers: confirming ? offersFor(confirming) : [],
    accepted,
    toggleAccepted: (name: string): void =>
      setAccepted((before) => new Set(before.has(name) ? [...before].filter((one) => one !== name) : [...before, name])),
    /**
     * The number of selected records that the action leaves out because a required question has no answer. Null if the number is
     * unknown.
     */
    countLeftOut: (): number | null => {
      if (!confirming || matched) return null
      const answer = bulkAnswer(confirming.status)
      return selected.filter((item) => bulkAnswerFor(questions, item.record, ownAnswers(item), answer) === null).length
    },
    /** Returns the answers for all selected records. */
    commonAnswers: (): Answers => form.snapshot().answers,
    confirm: (): void => {
      if (confirming) apply(confirming)
    },
    cancel: (): void => setConfirming(null),
    /** Called when the server has accepted the job. */
    jobStarted: (jobId: string): void => {
      depthAtLastAction.current = form.snapshot().depth
      lastJob.current = jobId
      setConfirming(null)
      setRound((before) => before + 1)
    },
    clear: (): void => {
      form.clear()
      setRound((before) => before + 1)
    },
    /** Undoes the latest change to the form. If the form hasn't changed since the last action, undoes that action. */
    undo: (): void => {
      if (form.snapshot().depth > depthAtLastAction.current && form.undo()) {
        announce(t('done.undone'))
        return
      }
      if (lastJob.current !== null && undoJob(lastJob.current)) return
      if (!annotator.undoAction()) form.undo()
    },
  }
}
