import type { Question } from '@postil/contract/questions.ts'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { bulkUnasked } from '#lib/constants.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { AnswerStatus } from '#lib/outbox/types.ts'
import { announce } from '#ui/telling/announcer.ts'
import { toast } from '#ui/telling/toast.ts'
import type { Annotator } from '../annotator.ts'
import { emptyAnswers } from '../form/answers.ts'
import { createForm } from '../form/form.ts'
import type { QueueItem } from '../queue/item.ts'
import { useRecordScreen } from '../use-record-screen.ts'
import type { JobUndo } from './use-job-undo.ts'

const nothing = (): void => {}

type Options = {
  readonly annotator: Annotator
  /** The questions that are asked once for all. */
  readonly common: readonly Question[]
  readonly selected: readonly QueueItem[]
  /** All that the search finds, where that is selected instead; null where it is not. */
  readonly matched: { readonly count: number; readonly start: (deed: { status: AnswerStatus; common: Answers }) => void } | null
  readonly jobUndo: JobUndo
  readonly onDone: () => void
}

/** One set of answers, and what is done with it. It stays after a submit: the next records often get the same. */
export const useBulkAnswers = ({ annotator, common, selected, matched, jobUndo, onDone }: Options) => {
  const { t } = useTranslation('features/annotate')
  const form = useMemo(
    () => createForm({ questions: common, base: emptyAnswers(common), edits: null, onEdits: nothing }),
    [common],
  )
  /** What a submit was tried without is told until the next answers are begun. */
  const [round, setRound] = useState(0)
  const [asked, setAsked] = useState<AnswerStatus | null>(null)
  const depthThen = useRef(0)
  /** The server's job, where the last deed is one. */
  const lastJob = useRef<string | null>(null)
  // NOTE: where one key answers the only question, it does not submit too: many records would be gone with it
  const screen = useRecordScreen({ id: `bulk ${round}`, form, questions: common, onQuick: nothing })

  const apply = (status: AnswerStatus): void => {
    const { answers, depth } = form.snapshot()
    // NOTE: the question stays on the screen until the server has begun, or refused
    if (matched) {
      matched.start({ status, common: answers })
      return
    }
    depthThen.current = depth
    lastJob.current = null
    setAsked(null)
    setRound((before) => before + 1)
    annotator.saveAll(selected, status, answers)
    onDone()
  }
  /** @returns whether it was the job's turn */
  const undoJob = (id: string): boolean => {
    if (jobUndo.isGoing || !jobUndo.isOver(id)) {
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
    /** The deed that waits for a confirmation. */
    asked,
    save: (status: AnswerStatus): void => {
      if (selected.length === 0 && !matched) announce(t('bulk.noneSelected'))
      else if (status === 'submitted' && screen.missing.length > 0) screen.showMissing()
      else if (matched || selected.length > bulkUnasked) setAsked(status)
      else apply(status)
    },
    /** What all of them are given. */
    given: (): Answers => form.snapshot().answers,
    confirm: (): void => {
      if (asked) apply(asked)
    },
    giveUp: (): void => setAsked(null),
    /** The server does what was asked for. */
    handedOver: (jobId: string): void => {
      depthThen.current = form.snapshot().depth
      lastJob.current = jobId
      setAsked(null)
      setRound((before) => before + 1)
    },
    clear: (): void => {
      form.clear()
      setRound((before) => before + 1)
    },
    /** What was changed in the form since the last deed; then that deed. */
    undo: (): void => {
      if (form.snapshot().depth > depthThen.current && form.undo()) {
        announce(t('deed.undone'))
        return
      }
      if (lastJob.current !== null && undoJob(lastJob.current)) return
      if (!annotator.undoDeed()) form.undo()
    },
  }
}
