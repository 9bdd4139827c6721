import { printAnnotationQuery, readAnnotationQuery } from '@postil/contract/annotation-query/annotation-search.ts'
import type { Page } from '@postil/contract/annotation-query/grammar.ts'
import { emptyQuery } from '@postil/contract/annotation-query/grammar.ts'
import { searchOfAll } from '@postil/contract/annotation-query/search-body.ts'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, notFound, useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { DeletedDataset } from '#features/deleted-dataset/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import {
  datasetQuery,
  fieldsQuery,
  isUnknownDataset,
  labelColoursQuery,
  questionsQuery,
  searchSettingsQuery,
} from '#lib/api/dataset-queries.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { DatasetCrumbs } from '#lib/shell/DatasetCrumbs.tsx'
import { DatasetTabs } from '#lib/shell/DatasetTabs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { IgnoredAccentsContext } from '#lib/text/ignored-accents.ts'
import type { QueryChange } from '#lib/url/query-change.ts'
import { LabelHuesContext, noLabelHues } from '#question-types/shared/labels/label-hues.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import styles from './AnnotatePage.module.css'
import { isQueueQuery } from './address/list-of-query.ts'
import { defaultPageSize, pageAt, startOfPage, viewOf } from './address/page.ts'
import { useAddress } from './address/use-address.ts'
import { useDeferredMoves } from './address/use-deferred-moves.ts'
import type { CompletedAction } from './announcements/use-action-text.ts'
import { useActionText, withoutRecords } from './announcements/use-action-text.ts'
import { useAnnouncements, useAnnouncePosition } from './announcements/use-announcements.ts'
import type { AnswerActionKind } from './answering/annotator.ts'
import { BulkView } from './bulk/lazy-bulk-view.ts'
import { useAnnotation } from './context/use-annotation.ts'
import { useDeletionCheck } from './context/use-deletion-check.ts'
import { FocusView } from './focus/FocusView.tsx'
import { useStoredLayout } from './layout/use-stored-layout.ts'
import { IssueNotice, preloadParts } from './lazy-parts.ts'
import { startQueueWith } from './queue/queue-start.ts'
import { DatasetActions } from './toolbar/DatasetActions.tsx'
import { SettingsLink } from './toolbar/SettingsLink.tsx'

/**
 * The delay between showing the screen and prefetching its other parts, in milliseconds. These parts must be available offline.
 */
const preloadDelay = 3000

const route = getRouteApi('/inside/dataset/$datasetId/annotation-mode')

/** The annotation screen of a dataset. */
export const AnnotatePage = () => {
  const { datasetId } = route.useParams()
  const search = route.useSearch()
  const exportSearch = useMemo(() => searchOfAll(readAnnotationQuery(search)), [search])
  const canExport = useUser().role !== 'annotator'
  const dataset = useQuery(datasetQuery(datasetId))
  const fields = useQuery(fieldsQuery(datasetId))
  const questions = useQuery(questionsQuery(datasetId))
  const { data: hues = noLabelHues } = useQuery(labelColoursQuery(datasetId))
  const { data: searchSettings } = useQuery(searchSettingsQuery(datasetId))
  const error = blockingError(dataset, fields, questions)
  if (isUnknownDataset(error)) {
    if (dataset.data && isUnknownDataset(dataset.error))
      return (
        <Suspense fallback={<main id="main" tabIndex={-1} className={styles['page']} aria-busy="true" />}>
          <DeletedDataset datasetId={datasetId} name={dataset.data.name} />
        </Suspense>
      )
    throw notFound()
  }
  if (error) throw error
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!questions.data}>
      <HeaderContent
        crumbs={<DatasetCrumbs dataset={dataset.data} />}
        actions={
          <>
            {dataset.data && fields.data && questions.data && (
              <DatasetActions
                dataset={dataset.data}
                fields={fields.data}
                questions={questions.data}
                search={exportSearch}
                canExport={canExport}
              />
            )}
            {dataset.data && <SettingsLink datasetId={datasetId} />}
          </>
        }
      />
      <DatasetTabs datasetId={datasetId} isLead={canExport} className={styles['tabs']} />
      {dataset.data && fields.data && questions.data ? (
        <LabelHuesContext value={hues}>
          <IgnoredAccentsContext value={searchSettings?.ignore_accents ?? false}>
            <Screen key={datasetId} dataset={dataset.data} fields={fields.data} questions={questions.data} />
          </IgnoredAccentsContext>
        </LabelHuesContext>
      ) : (
        <div className={styles['waiting']}>
          <Skeleton height="9lh" />
        </div>
      )}
    </main>
  )
}

type ScreenProps = { readonly dataset: Dataset; readonly fields: readonly Field[]; readonly questions: readonly Question[] }

const Screen = ({ dataset, fields, questions }: ScreenProps) => {
  const { t } = useTranslation('features/annotate')
  const user = useUser()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useMemo(() => viewOf(readAnnotationQuery(search)), [search])
  const isBulk = query.page.mode === 'bulk'
  const [lastAction, setLastAction] = useState<CompletedAction | null>(null)
  const [epoch, setEpoch] = useState(0)
  const [generation, setGeneration] = useState(0)
  const reloadAll = useCallback(() => setGeneration((before) => before + 1), [])
  const [bulkSize, storeBulkSize] = useStoredLayout('bulk-size', defaultPageSize)
  useDocumentTitle(dataset.name, t(`title.${query.status}`))

  const announcements = useAnnouncements()
  const textOf = useActionText()
  const onAction = useCallback(
    (action: AnswerActionKind, recordIds: readonly string[]): void => {
      announcements.action(textOf({ action, recordIds }))
      // After a draft is saved, its record stays in the focus view but leaves the page in the bulk view.
      const clearsLastAction = action === 'undone' || (action === 'draft' && !isBulk)
      if (action === 'dropped') setLastAction((last) => last && withoutRecords(last, recordIds))
      else setLastAction(clearsLastAction ? null : { action, recordIds })
    },
    [textOf, isBulk, announcements],
  )
  useEffect(() => {
    // A failed prefetch is retried when the part is shown.
    const timer = setTimeout(() => void Promise.all([BulkView.preload(), preloadParts()]).catch(() => undefined), preloadDelay)
    return () => clearTimeout(timer)
  }, [])
  const annotation = useAnnotation({ datasetId: dataset.id, userId: user.id, questions, query, epoch, generation, onAction })
  const hasIssues = [...useOutbox().lines.values()].some(({ issue }) => issue !== null)
  useDeletionCheck(annotation, dataset.id)
  const { shown, records } = annotation
  useAnnouncePosition(announcements, shown, query.status)

  const { history } = useRouter()
  const moves = useDeferredMoves()
  const goTo = useCallback(
    (change: QueryChange, replace: boolean): void => {
      moves.flush()
      void navigate({
        // Uses the URL at the time of the navigation, because another change may be pending.
        search: (before) => {
          const now = readAnnotationQuery(before)
          return printAnnotationQuery({ ...now, ...(typeof change === 'function' ? change(now) : change) })
        },
        replace,
      })
      // The router combines all changes within a task. Without this call, several deferred moves would add only one history entry.
      history.flush()
    },
    [navigate, history, moves],
  )

  const { item, position, phase } = shown
  // The end of the queue has its own position in the URL, so that the browser's Back button returns from it to the last record.
  const isAtPosition = item !== null || (annotation.isLeased && phase === 'ready')
  useAddress({
    position: isAtPosition ? position : null,
    list: records,
    addressPosition: startOfPage(query.page),
    moveAddress: (place, replace) =>
      moves.defer({ datasetId: dataset.id, position: place }, () =>
        goTo((now) => ({ page: pageAt(viewOf(now).page, place) }), replace),
      ),
    moveRecord: async (number) => {
      if (!records.goToPosition(number)) {
        setEpoch((before) => before + 1)
        return null
      }
      await records.whenMoved()
      return records.snapshot().position
    },
  })

  const view = {
    dataset,
    fields,
    questions,
    query,
    annotation,
    lastAction,
    onQuery: (change: QueryChange): void =>
      goTo((now) => {
        const changed = typeof change === 'function' ? change(now) : change
        // If the page size changes, `changed` contains the new page. If the status changes, the focus view opens. After all other
        // changes, the list starts at its first position.
        const page = changed.page ?? (changed.status ? emptyQuery.page : pageAt(now.page, 1))
        return { ...changed, page }
      }, false),
    onBulk: (bulk: boolean): void => {
      const first = shown.items[0]?.record
      if (!bulk && first && isQueueQuery({ ...query, page: emptyQuery.page })) startQueueWith(dataset.id, first.id)
      goTo((now) => {
        const start = startOfPage(now.page)
        // The same position in the queue and in the bulk view's list is usually a different record, so the bulk view starts at 1.
        if (bulk) return { page: { mode: 'bulk', start: annotation.isLeased ? 1 : start, size: bulkSize } }
        const focused: Page = { mode: 'focus', number: start }
        return { page: isQueueQuery({ ...now, page: focused }) ? emptyQuery.page : focused }
      }, false)
    },
    onSize: (size: number): void => {
      storeBulkSize(size)
      goTo((now) => ({ page: { mode: 'bulk', start: startOfPage(now.page), size } }), false)
    },
  }
  return (
    <>
      <h1 className="visually-hidden">
        {dataset.name}: {t(`title.${query.status}`)}
      </h1>
      {hasIssues && (
        <Suspense>
          <IssueNotice records={annotation.records} datasetId={dataset.id} />
        </Suspense>
      )}
      {isBulk ? (
        <Suspense fallback={<Skeleton height="9lh" />}>
          <BulkView {...view} onReload={reloadAll} />
        </Suspense>
      ) : (
        <FocusView {...view} />
      )}
    </>
  )
}
