import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { PrintedReviewSettings } from '@postil/contract/review.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { recordQuery } from '#features/annotate/public.ts'
import { useUser } from '#features/auth/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { comparisonQuery } from '#lib/api/review-queries.ts'
import { usePreserveForm, useUnsavedForm } from '#lib/unsaved-forms.ts'
import { recordLink } from '#lib/url/record-link.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { type Decision, type Decisions, hasTyped, type SentValues } from './decisions.ts'
import { FillButton } from './FillButton.tsx'
import type { UnsentGold } from './gold-sender.ts'
import { LeaveGuard } from './LeaveGuard.tsx'
import { CommentsButton } from './parts.ts'
import { QueueEnd } from './QueueEnd.tsx'
import styles from './ReviewPage.module.css'
import { UnsentList } from './UnsentList.tsx'
import { useReview } from './use-review.ts'

/** Loaded at the same time as the first record. */
const RecordReview = lazyPart(() => import('./RecordReview.tsx').then((module) => ({ default: module.RecordReview })))

const route = getRouteApi('/inside/dataset/$datasetId/review')
const noEdits: Decisions = {}
const allRecords = { search: {} }

type Props = {
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly settings: PrintedReviewSettings
}
type Drafts = ReadonlyMap<string, Decisions>

/** The reviewer's work that isn't stored when the session ends: unsent final answers and drafts, as plain JSON. */
type Unsaved = { readonly unsent: readonly UnsentGold[]; readonly drafts: readonly (readonly [string, Decisions])[] }

/** The records to review, one at a time. The address contains the record that is shown. */
export const ReviewScreen = ({ dataset, fields, questions, settings }: Props) => {
  useEffect(() => {
    RecordReview.preload().catch(() => undefined)
  }, [])
  const { t } = useTranslation('features/review')
  const navigate = route.useNavigate()
  const { record: addressed = null } = route.useSearch()
  const queryClient = useQueryClient()
  const form = `review ${dataset.id}`
  const user = useUser()
  const isLead = user.role !== 'annotator'
  const restored = useUnsavedForm<Unsaved>(user.id, form)
  const { list, sender, queue, unsent } = useReview(dataset.id)
  const [drafts, setDrafts] = useState<Drafts>(() => new Map(restored?.drafts))
  usePreserveForm(
    form,
    useCallback(
      (): Unsaved | undefined =>
        drafts.size + sender.snapshot().length > 0 ? { unsent: sender.snapshot(), drafts: [...drafts] } : undefined,
      [drafts, sender],
    ),
  )
  useEffect(() => {
    if (restored) sender.restore(restored.unsent)
  }, [sender, restored])

  // Kept as state, because the URL changes later. A key that is pressed before then must already apply to the next record.
  const [current, setCurrent] = useState(addressed)
  const destination = useRef<string | null | undefined>(undefined)
  const show = useCallback(
    (id: string | null, replace = false): void => {
      destination.current = id
      setCurrent(id)
      void navigate({ search: id === null ? {} : { record: id }, replace, resetScroll: false })
    },
    [navigate],
  )
  useEffect(() => {
    if (destination.current === undefined) setCurrent(addressed)
    else if (destination.current === addressed) destination.current = undefined
  }, [addressed])
  const [next] = queue.upcoming
  useEffect(() => {
    if (current !== null) list.show(current)
    // If the URL names no record, show the next record in the queue.
    else if (next !== undefined) show(next, true)
  }, [list, current, next, show])

  const record = useQuery({ ...recordQuery(current ?? ''), enabled: current !== null })
  const comparison = useQuery({ ...comparisonQuery(current ?? ''), enabled: current !== null })
  const goOn = (): void => show(list.after(current))
  const goBack = (): void => {
    const previous = list.before(current)
    if (previous !== null) show(previous)
  }
  const setDraft = (id: string, change: (before: Decisions) => Decisions | null): void =>
    setDrafts((before) => {
      const changed = change(before.get(id) ?? noEdits)
      const others = [...before].filter(([key]) => key !== id)
      return new Map(changed === null ? others : [...others, [id, changed]])
    })

  const ownLine = unsent.find(({ recordId }) => recordId === current) ?? null
  const titleOf = (): string => record.data?.external_id ?? current ?? ''
  const finish = (values: SentValues): void => {
    if (current === null) return
    const standing = ownLine?.state.kind === 'conflict' ? ownLine.state.current : null
    // The comparison may be older than the conflict.
    const version = Math.max(comparison.data?.gold?.version ?? 0, standing?.version ?? 0)
    sender.send({ recordId: current, title: titleOf(), values, base: version === 0 ? null : version })
    list.finish(current)
    setDraft(current, () => null)
    announce(t('finished'))
    goOn()
  }

  const { left, more } = queue
  const isUnknown = (error: Error | null): boolean => error instanceof ApiError && [404, 422].includes(error.status)
  const isGone =
    isUnknown(record.error) || isUnknown(comparison.error) || (record.data !== undefined && record.data.dataset_id !== dataset.id)
  const problem = (record.data ? null : record.error) ?? (comparison.data ? null : comparison.error)
  useEffect(() => {
    // The whole dataset may have been deleted.
    if (isGone) void queryClient.invalidateQueries({ queryKey: ['dataset', dataset.id], exact: true })
  }, [queryClient, dataset.id, isGone])

  const content = () => {
    if (current === null) return <QueueEnd datasetId={dataset.id} settings={settings} queue={queue} list={list} onBack={goBack} />
    if (isGone)
      return (
        <div className={styles['note']}>
          <EmptyState title={t('gone')} hint={t('goneHint')} action={<Button onClick={goOn}>{t('next')}</Button>} />
        </div>
      )
    if (problem)
      return (
        <div className={styles['note']}>
          <EmptyState
            title={t('failed')}
            hint={<ProblemText error={problem} />}
            action={<Button onClick={() => void Promise.all([record.refetch(), comparison.refetch()])}>{t('retry')}</Button>}
          />
        </div>
      )
    const waiting = (
      <div className={styles['note']} aria-busy="true">
        <Skeleton height="9lh" />
      </div>
    )
    if (!record.data || !comparison.data) return waiting
    return (
      <Suspense fallback={waiting}>
        <RecordReview
          key={current}
          record={record.data}
          fields={fields}
          questions={questions}
          comparison={comparison.data}
          edits={drafts.get(current) ?? noEdits}
          unsent={ownLine}
          hasPrevious={list.before(current) !== null}
          onDecide={(question: string, decision: Decision) =>
            setDraft(current, (before) => ({ ...before, [question]: decision }))
          }
          onFinish={finish}
          onKeepTheirs={() => {
            sender.drop(current)
            setDraft(current, () => null)
          }}
          onBack={goBack}
          onSkip={goOn}
          onReturned={() => {
            list.finish(current)
            goOn()
          }}
        />
      </Suspense>
    )
  }
  return (
    <>
      <div className={styles['bar']}>
        <span className={styles['left']} role="status">
          {left !== null && more && t('leftMore', { count: left, shown: formatCount(left) })}
          {left !== null && !more && t('left', { count: left, shown: formatCount(left) })}
        </span>
        {isLead && <FillButton datasetId={dataset.id} target={allRecords} onDone={() => void list.restart()} />}
        {current !== null && record.data && !isGone && (
          <span className={styles['about']}>
            <bdi className={styles['id']} title={titleOf()}>
              {titleOf()}
            </bdi>
            <CopyButton label={t('copyLink')} text={recordLink(dataset.id, current)} />
            <Suspense>
              <CommentsButton recordId={current} questions={questions} />
            </Suspense>
          </span>
        )}
      </div>
      <UnsentList unsent={unsent} current={current} sender={sender} onShow={show} />
      {content()}
      <LeaveGuard unsent={unsent} hasTyped={[...drafts.values()].some(hasTyped)} />
    </>
  )
}
