import { useEffect, useRef, useState } from 'react'
import { openAnswerIssues } from '#features/answer-issues/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { closeToast, toast, toastProblem } from '#ui/feedback/toast.ts'
import { fetchOwnRecord } from '../api.ts'
import type { Annotation } from '../context/use-annotation.ts'
import { issueKey, useVisibleIssues } from './visible-issues.ts'

/** Returns a visible record's card, which may be outside the viewport. */
const cardOf = (recordId: string): Element | null => document.querySelector(`[data-record="${CSS.escape(recordId)}"]`)

/** How long issues are collected before they are announced together, in milliseconds. Cards become visible one by one. */
const groupingDelay = 100

type Words = {
  readonly one: string | null
  readonly several: string | null
  /** Whether a notice already reports these issues together with others. */
  readonly areReported: boolean
}

/**
 * Announces issues when they become visible on their records. Several at once are announced in a toast, which sighted users
 * also see.
 */
const useAnnounceIssues = (names: readonly string[], { one, several, areReported }: Words): void => {
  const announced = useRef<ReadonlySet<string>>(new Set())
  const key = names.join()
  useEffect(() => {
    const now = new Set(key === '' ? [] : key.split(','))
    const timer = setTimeout(() => {
      const unannounced = [...now].filter((name) => !announced.current.has(name))
      announced.current = now
      if (unannounced.length === 0 || areReported) return
      if (unannounced.length > 1 && several !== null) toast({ text: several, kind: 'danger', key: 'several-rejected' })
      else if (one !== null) announce(one, 'assertive')
    }, groupingDelay)
    return () => clearTimeout(timer)
  }, [key, one, several, areReported])
}

/**
 * Notifies the user of rejected and conflicting answers in this dataset and offers to show their records. A visible record
 * shows its own issue. Several rejections of one action are reported once.
 */
export const useIssueNotice = ({ records }: Pick<Annotation, 'records'>, datasetId: string): void => {
  const { t } = useTranslation('features/annotate')
  const { lines, sender } = useOutbox()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const visible = useVisibleIssues()
  const linesHere = [...lines.values()].filter((line) => line.dataset_id === datasetId)
  const linesWithIssue = linesHere.filter(({ issue }) => issue !== null)
  // While answers are being sent, more may be rejected. They are reported together.
  const isSending = sender === 'sending' && linesWithIssue.length < linesHere.length
  const unseen = linesWithIssue.filter((line) => !visible.has(issueKey(line)) && !closed.has(issueKey(line)))
  const [first] = unseen
  const kind = first?.issue?.kind ?? null
  const rejected = linesWithIssue.filter((line) => line.issue?.kind === 'rejected' && !closed.has(issueKey(line)))
  const kindOfAll = kind === 'rejected' && rejected.length > 1 ? 'someRejected' : kind

  const visibleHere = linesWithIssue.filter((line) => visible.has(issueKey(line)))
  const visibleKind = visibleHere[0]?.issue?.kind ?? null
  const areRejected = visibleHere.every(({ issue }) => issue?.kind === 'rejected')
  const shown = useRef<readonly string[]>([])
  if (!isSending) shown.current = visibleHere.map(issueKey)
  useAnnounceIssues(shown.current, {
    one: visibleKind && t(`issue.${visibleKind}`),
    several: areRejected ? t('issue.someRejected') : null,
    areReported: kindOfAll === 'someRejected',
  })

  const latest = useRef(unseen)
  useEffect(() => {
    latest.current = unseen
  })
  // A notice about several answers stays when the first of them becomes visible.
  const now = { words: kindOfAll, subject: first === undefined || kindOfAll === 'someRejected' ? null : issueKey(first) }
  const reported = useRef(now)
  if (!isSending || kindOfAll === null) reported.current = now
  const { words, subject } = reported.current
  useEffect(() => {
    if (words === null) return
    const show = async (): Promise<void> => {
      const recordId = latest.current[0]?.record_id
      if (recordId === undefined) return
      const card = cardOf(recordId)
      if (card) return card.scrollIntoView({ block: 'nearest' })
      const loadedRecord = records.find(recordId)?.record
      try {
        const shown = loadedRecord ?? (await fetchOwnRecord(datasetId, recordId))
        // If the record was deleted, only its answer can be shown.
        if (shown === null) openAnswerIssues(recordId)
        else records.insertAndShow(shown)
      } catch (error) {
        // The dataset was deleted.
        if (isUnknownDataset(error)) openAnswerIssues(recordId)
        else toastProblem(error)
      }
    }
    let isOver = false
    const close = (): void => {
      const told = latest.current.map(issueKey).filter((name) => subject === null || name === subject)
      if (!isOver) setClosed((before) => new Set([...before, ...told]))
    }
    let toastId: number | null = null
    // Issues that become visible on their records in the meantime need no notice.
    const timer = setTimeout(() => {
      toastId = toast({
        text: t(`issue.${words}`),
        kind: 'danger',
        permanent: true,
        inFlow: true,
        key: 'issue',
        button: { label: t('issue.show'), onClick: () => void show() },
        onClose: close,
      })
    }, groupingDelay)
    return () => {
      isOver = true
      clearTimeout(timer)
      if (toastId !== null) closeToast(toastId)
    }
  }, [subject, words, records, datasetId, t])
}
