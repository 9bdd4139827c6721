import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, notFound } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useUser } from '#features/auth/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import {
  datasetQuery,
  fieldsQuery,
  isUnknownDataset,
  labelColoursQuery,
  questionsQuery,
  workspaceQuery,
} from '#lib/api/dataset-queries.ts'
import { unread } from '#lib/api/unread.ts'
import type { Crumb } from '#lib/shell/Crumbs.tsx'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { InHeader } from '#lib/shell/header-slots.tsx'
import { printAnnotationQuery, readAnnotationQuery } from '#lib/url/annotation-search.ts'
import type { QueryChange } from '#lib/url/grammar.ts'
import { emptyQuery } from '#lib/url/grammar.ts'
import { printWorkspaces } from '#lib/url/home-search.ts'
import type { LabelHues } from '#question-types/shared/labels/label-hues.ts'
import { LabelHuesContext } from '#question-types/shared/labels/label-hues.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import styles from './AnnotatePage.module.css'
import { searchOfAll } from './address/search-body.ts'
import { useAddress } from './address/use-address.ts'
import { pageAt, placeOfPage, usualPageSize, viewOf } from './address/view-of.ts'
import { BulkView } from './bulk/lazy-view.ts'
import { FocusView } from './components/FocusView.tsx'
import { DatasetActions } from './components/toolbar/DatasetActions.tsx'
import { SettingsLink } from './components/toolbar/SettingsLink.tsx'
import { useKept } from './layout-store.ts'
import type { DeedDone } from './telling/use-deed-words.ts'
import { useDeedWords, withoutRecords } from './telling/use-deed-words.ts'
import { useTelling, useTellingPlace } from './telling/use-telling.ts'
import { useTroubleNotice } from './telling/use-trouble-notice.ts'
import type { Deed } from './use-annotation.ts'
import { useAnnotation } from './use-annotation.ts'

/** How long after the screen is there the other view is fetched, in milliseconds: before it is wanted, also offline. */
const fetchAhead = 3000

const noHues: LabelHues = new Map()

const route = getRouteApi('/inside/dataset/$datasetId/annotation-mode')

/** The annotation screen of a dataset. */
export const AnnotatePage = () => {
  const { datasetId } = route.useParams()
  const search = route.useSearch()
  const found = useMemo(() => searchOfAll(readAnnotationQuery(search)), [search])
  const mayTakeOut = useUser().role !== 'annotator'
  const dataset = useQuery(datasetQuery(datasetId))
  const fields = useQuery(fieldsQuery(datasetId))
  const questions = useQuery(questionsQuery(datasetId))
  // Labels are there without their colours too.
  const { data: hues = noHues } = useQuery(labelColoursQuery(datasetId))
  const { data: workspace } = useQuery({
    ...workspaceQuery(dataset.data?.workspace_id ?? ''),
    enabled: dataset.data !== undefined,
  })
  const error = unread(dataset, fields, questions)
  if (isUnknownDataset(error)) throw notFound()
  if (error) throw error
  const crumbs: readonly Crumb[] = dataset.data
    ? [
        ...(workspace
          ? [{ label: workspace.name, link: { to: '/' as const, search: { workspaces: printWorkspaces([workspace.name]) } } }]
          : []),
        { label: dataset.data.name, link: { to: '/dataset/$datasetId/annotation-mode' as const, params: { datasetId } } },
      ]
    : []
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!questions.data}>
      <InHeader
        crumbs={<Crumbs crumbs={crumbs} />}
        actions={
          <>
            {dataset.data && questions.data && (
              <DatasetActions dataset={dataset.data} questions={questions.data} search={found} mayTakeOut={mayTakeOut} />
            )}
            {dataset.data && <SettingsLink datasetId={datasetId} />}
          </>
        }
      />
      {dataset.data && fields.data && questions.data ? (
        <LabelHuesContext value={hues}>
          <Screen key={datasetId} dataset={dataset.data} fields={fields.data} questions={questions.data} />
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
  const [lastDeed, setLastDeed] = useState<DeedDone | null>(null)
  const [epoch, setEpoch] = useState(0)
  const [generation, setGeneration] = useState(0)
  const readAnew = useCallback(() => setGeneration((before) => before + 1), [])
  const [bulkSize, keepBulkSize] = useKept('bulk-size', usualPageSize)
  useDocumentTitle(dataset.name, t(`title.${query.status}`))

  const telling = useTelling()
  const wordsOf = useDeedWords()
  const onDeed = useCallback(
    (deed: Deed, recordIds: readonly string[]): void => {
      telling.deed(wordsOf({ deed, recordIds }))
      // A draft of the record on the screen stays there; drafts of a page leave it.
      const isOver = deed === 'undone' || (deed === 'draft' && !isBulk)
      if (deed === 'dropped') setLastDeed((last) => last && withoutRecords(last, recordIds))
      else setLastDeed(isOver ? null : { deed, recordIds })
    },
    [wordsOf, isBulk, telling],
  )
  useEffect(() => {
    // What does not arrive now is asked for again when it is chosen.
    const timer = setTimeout(() => void BulkView.preload().catch(() => undefined), fetchAhead)
    return () => clearTimeout(timer)
  }, [])
  const annotation = useAnnotation({ datasetId: dataset.id, userId: user.id, questions, query, epoch, generation, onDeed })
  useTroubleNotice(annotation, dataset.id)
  const { shown, queue } = annotation
  useTellingPlace(telling, shown, query.status)

  const goTo = useCallback(
    (change: QueryChange, replace: boolean): void => {
      void navigate({
        // From the address as it is then: another change may be on its way.
        search: (before) => {
          const now = readAnnotationQuery(before)
          return printAnnotationQuery({ ...now, ...(typeof change === 'function' ? change(now) : change) })
        },
        replace,
      })
    },
    [navigate],
  )

  const { item, position } = shown
  useAddress({
    position: item && !annotation.isHandedOut ? position : null,
    wanted: placeOfPage(query.page),
    moveAddress: (place) => goTo((now) => ({ page: pageAt(viewOf(now).page, place) }), search.page === undefined),
    moveRecord: (number) => {
      if (!queue.goToPosition(number)) setEpoch((before) => before + 1)
    },
  })

  const view = {
    dataset,
    fields,
    questions,
    query,
    annotation,
    lastDeed,
    onQuery: (change: QueryChange): void =>
      goTo((now) => {
        const changed = typeof change === 'function' ? change(now) : change
        // Another status is looked at one record at a time; a page size comes with its own place.
        const page = changed.page ?? (changed.status ? emptyQuery.page : pageAt(now.page, 1))
        return { ...changed, page }
      }, false),
    onBulk: (bulk: boolean): void =>
      goTo(
        (now) => ({
          page: bulk
            ? { mode: 'bulk', start: placeOfPage(now.page), size: bulkSize }
            : { mode: 'focus', number: placeOfPage(now.page) },
        }),
        false,
      ),
    onSize: (size: number): void => {
      keepBulkSize(size)
      goTo((now) => ({ page: { mode: 'bulk', start: placeOfPage(now.page), size } }), false)
    },
  }
  return (
    <>
      <h1 className="visually-hidden">
        {dataset.name}: {t(`title.${query.status}`)}
      </h1>
      {isBulk ? (
        <Suspense fallback={<Skeleton height="9lh" />}>
          <BulkView {...view} onAnew={readAnew} />
        </Suspense>
      ) : (
        <FocusView {...view} />
      )}
    </>
  )
}
