import { type RefObject, useEffect, useRef, useState } from 'react'
import { openAnswerIssues } from '#features/answer-issues/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { announce, isAnnounced } from '#ui/feedback/announcer.ts'
import { closeToast, toast, toastProblem } from '#ui/feedback/toast.ts'
import { fetchOwnRecord } from '../api.ts'
import type { Annotation } from '../context/use-annotation.ts'
import { issueKey, useVisibleIssues } from './visible-issues.ts'

/** Returns the card of a record on this page, even if the card is scrolled out of view. */
const cardOf = (recordId: string): Element | null => document.querySelector(`[data-record="${CSS.escape(recordId)}"]`)

/** How long to wait for further issues before announcing them together, in milliseconds. Cards become visible one by one. */
const groupingDelay = 100

/**
 * Returns the names once they haven't changed for a moment and no more answers are being sent. Names that appear shortly after
 * one another are therefore reported together.
 */
const useGrouped = (names: readonly string[], isSending: boolean): ReadonlySet<string> => {
  const [grouped, setGrouped] = useState<ReadonlySet<string>>(new Set())
  const key = names.join()
  useEffect(() => {
    if (isSending) return
    const timer = setTimeout(() => setGrouped(new Set(key.split(','))), groupingDelay)
    return () => clearTimeout(timer)
  }, [key, isSending])
  return grouped
}

type Props = Pick<Annotation, 'records'> & { readonly datasetId: string }
type Words = { readonly one: string | null; readonly several: string | null }

/**
 * Announces issues when they become visible on their records. Several issues that become visible at once are announced in a
 * toast, which sighted users also see.
 * @param noticed the issues that a notice has already reported
 */
const useAnnounceIssues = (names: readonly string[], noticed: RefObject<Set<string>>, { one, several }: Words): void => {
  const announced = useRef<ReadonlySet<string>>(new Set())
  const key = names.join()
  useEffect(() => {
    const now = new Set(key === '' ? [] : key.split(','))
    const timer = setTimeout(() => {
      const unannounced = [...now].filter((name) => !announced.current.has(name))
      announced.current = now
      // On a busy machine, a notice may have reported the issues before their records counted as visible. They must not be
      // announced again.
      const isJustReported = [one, several].some((text) => text !== null && isAnnounced(text))
      const isQuiet = isJustReported && unannounced.every((name) => noticed.current.has(name))
      if (unannounced.length > 1 && several !== null) toast({ text: several, kind: 'danger', key: 'several-rejected', isQuiet })
      else if (unannounced.length > 0 && one !== null && !isQuiet) announce(one, 'assertive')
    }, groupingDelay)
    return () => clearTimeout(timer)
  }, [noticed, key, one, several])
}

/**
 * Notifies the user of rejected and conflicting answers in this dataset and offers to show their records. A visible record
 * shows its own issue. Issues that arise together are reported once.
 */
export const IssueNotice = ({ records, datasetId }: Props): null => {
  const { t } = useTranslation('features/annotate')
  const { lines, sender } = useOutbox()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const noticed = useRef(new Set<string>())
  const visible = useVisibleIssues()
  const linesHere = [...lines.values()].filter((line) => line.dataset_id === datasetId)
  const allWithIssue = linesHere.filter(({ issue }) => issue !== null)
  const reported = useGrouped(allWithIssue.map(issueKey), sender === 'sending' && allWithIssue.length < linesHere.length)
  const linesWithIssue = allWithIssue.filter((line) => reported.has(issueKey(line)))
  const unseen = linesWithIssue.filter((line) => !visible.has(issueKey(line)) && !closed.has(issueKey(line)))
  const [first] = unseen
  const name = first ? issueKey(first) : null
  const recordId = first?.record_id ?? null
  const isMany = unseen.filter(({ issue }) => issue?.kind === 'rejected').length > 1
  const kind = first?.issue?.kind ?? null
  const words = kind === 'rejected' && isMany ? 'someRejected' : kind
  const visibleHere = linesWithIssue.filter((line) => visible.has(issueKey(line)))
  const visibleKind = visibleHere[0]?.issue?.kind ?? null
  const areRejected = visibleHere.every(({ issue }) => issue?.kind === 'rejected')
  // The visible issues are announced only if no notice about issues out of view is shown, because that notice covers them, too.
  useAnnounceIssues(visibleHere.map(issueKey), noticed, {
    one: visibleKind && words === null ? t(`issue.${visibleKind}`) : null,
    several: areRejected && words === null ? t('issue.someRejected') : null,
  })
  const unseenKeys = useRef<readonly string[]>([])
  useEffect(() => {
    unseenKeys.current = unseen.map(issueKey)
  })
  useEffect(() => {
    if (name === null || recordId === null || words === null) return
    const show = async (): Promise<void> => {
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
    const text = t(`issue.${words}`)
    // If the first issue becomes visible on its record, the notice shows the next issue instead. This is not announced, because
    // all of these issues have been announced before.
    const isQuiet = isAnnounced(text) && unseenKeys.current.every((one) => noticed.current.has(one))
    for (const one of unseenKeys.current) noticed.current.add(one)
    const notice = toast({
      text,
      isQuiet,
      kind: 'danger',
      permanent: true,
      inFlow: true,
      key: 'issue',
      button: { label: t('issue.show'), onClick: () => void show() },
      onClose: () => {
        if (!isOver) setClosed((before) => new Set([...before, name]))
      },
    })
    return () => {
      isOver = true
      closeToast(notice)
    }
  }, [name, recordId, words, records, datasetId, t])
  return null
}
