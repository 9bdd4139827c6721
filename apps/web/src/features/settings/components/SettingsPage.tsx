import type { Dataset } from '@postil/contract/datasets.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { DeletedDataset } from '#features/deleted-dataset/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import {
  datasetQuery,
  fieldsQuery,
  isUnknownDataset,
  labelColoursQuery,
  metadataPropertiesQuery,
  questionsQuery,
  vectorsQuery,
  workspaceQuery,
} from '#lib/api/dataset-queries.ts'
import { DatasetCrumbs } from '#lib/shell/DatasetCrumbs.tsx'
import { DatasetTabs } from '#lib/shell/DatasetTabs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { usePreserveForm, useUnsavedForm } from '#lib/unsaved-forms.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { settingsCalls } from '../api.ts'
import { createEdits, EditsContext } from '../edits.ts'
import type { Section } from '../sections.ts'
import { readSection } from '../sections.ts'
import { useRefresh } from '../use-refresh.ts'
import { DangerSection } from './DangerSection.tsx'
import { FieldsSection } from './FieldsSection.tsx'
import { GeneralSection } from './GeneralSection.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import { MetadataSection } from './MetadataSection.tsx'
import { ReviewSection } from './ReviewSection.tsx'
import { SectionNav } from './SectionNav.tsx'
import styles from './SettingsPage.module.css'
import { VectorsSection } from './VectorsSection.tsx'

const QuestionsSection = lazyPart(() => import('./QuestionsSection.tsx').then((module) => ({ default: module.QuestionsSection })))
const Markdown = lazyPart(() => import('#lib/markdown/Markdown.tsx').then((module) => ({ default: module.Markdown })))

/** The dataset settings that annotators can see. */
const ReadOnlySettings = ({ dataset }: { readonly dataset: Dataset }) => {
  const { t } = useTranslation('features/settings')
  return (
    <>
      <dl className={styles['facts']}>
        <dt>{t('general.name')}</dt>
        <dd>
          <bdi>{dataset.name}</bdi>
        </dd>
        <dt>{t('general.minSubmitted')}</dt>
        <dd>{formatCount(dataset.distribution.min_submitted)}</dd>
      </dl>
      <section aria-labelledby="guidelines" className={styles['read']}>
        <h2 id="guidelines" className={styles['sectionTitle']}>
          {t('general.guidelines')}
        </h2>
        {dataset.guidelines ? (
          <Suspense fallback={<Skeleton height="4lh" />}>
            <Markdown text={dataset.guidelines} />
          </Suspense>
        ) : (
          <p className={styles['none']}>{t('general.noGuidelines')}</p>
        )}
      </section>
    </>
  )
}

const route = getRouteApi('/inside/dataset/$datasetId/settings')

/** The settings of a dataset: editable for users who may change them, read-only for annotators. */
export const SettingsPage = () => {
  const { datasetId } = route.useParams()
  const { t } = useTranslation('features/settings')
  const user = useUser()
  const { data: dataset, error } = useQuery(datasetQuery(datasetId))
  const { data: workspace } = useQuery({ ...workspaceQuery(dataset?.workspace_id ?? ''), enabled: dataset !== undefined })
  useDocumentTitle(t('title'), ...(dataset ? [dataset.name] : []))
  if (isUnknownDataset(error)) {
    if (dataset)
      return (
        <Suspense fallback={<main id="main" tabIndex={-1} className={styles['page']} aria-busy="true" />}>
          <DeletedDataset datasetId={datasetId} name={dataset.name} />
        </Suspense>
      )
    throw notFound()
  }
  // If a refetch fails, the page keeps showing the earlier data and the unsaved changes.
  if (error && !dataset) throw error
  return (
    <>
      <HeaderContent
        crumbs={<DatasetCrumbs dataset={dataset} page={{ label: t('crumb'), to: '/dataset/$datasetId/settings' }} />}
      />
      <DatasetTabs datasetId={datasetId} isLead={user.role !== 'annotator'} />
      <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!dataset}>
        <div className={styles['top']}>
          <h1 className={styles['title']}>{t('title')}</h1>
          <div className={styles['links']}>
            {dataset?.status === 'ready' && user.role !== 'annotator' && (
              <Link to="/dataset/$datasetId/import" params={{ datasetId }} className="standing">
                {t('importRecords')}
              </Link>
            )}
            <Link to="/dataset/$datasetId/annotation-mode" params={{ datasetId }} className="standing">
              {t('seeDataset')}
            </Link>
          </div>
        </div>
        {!dataset && <Skeleton height="9lh" />}
        {dataset && user.role === 'annotator' && <ReadOnlySettings dataset={dataset} />}
        {dataset && user.role !== 'annotator' && (
          <EditableSettings key={datasetId} dataset={dataset} workspace={workspace?.name ?? ''} />
        )}
      </main>
    </>
  )
}

/** Returns the unsaved changes on this page. They are preserved if the session ends. */
const useEdits = (datasetId: string) => {
  const form = `settings ${datasetId}`
  const restoredEdits = useUnsavedForm<readonly (readonly [string, unknown])[]>(useUser().id, form)
  const [edits] = useState(() => createEdits(restoredEdits ?? []))
  const unsavedEdits = useCallback(() => (edits.snapshot().size > 0 ? [...edits.snapshot()] : undefined), [edits])
  usePreserveForm(form, unsavedEdits)
  return edits
}

const EditableSettings = ({ dataset, workspace }: { readonly dataset: Dataset; readonly workspace: string }) => {
  const { t } = useTranslation('features/settings')
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const current = readSection(route.useSearch().tab)
  const edits = useEdits(dataset.id)
  const calls = useMemo(() => settingsCalls(client, dataset.id), [client, dataset.id])
  const fields = useQuery(fieldsQuery(dataset.id))
  const questions = useQuery(questionsQuery(dataset.id))
  const colours = useQuery(labelColoursQuery(dataset.id))
  const metadata = useQuery(metadataPropertiesQuery(dataset.id))
  const vectors = useQuery(vectorsQuery(dataset.id))
  useRefresh(calls.refresh, current)
  const unread = [fields, questions, colours, metadata, vectors].find(({ data, error }) => error && !data)
  if (unread) throw unread.error
  if (!fields.data || !questions.data || !colours.data || !metadata.data || !vectors.data) return <Skeleton height="9lh" />

  const parts: { readonly [S in Section]: () => ReactNode } = {
    general: () => (
      <GeneralSection
        dataset={dataset}
        questions={questions.data}
        properties={metadata.data}
        vectors={vectors.data}
        calls={calls}
      />
    ),
    fields: () => <FieldsSection fields={fields.data} calls={calls} />,
    questions: () => (
      <Suspense fallback={<Skeleton height="9lh" />}>
        <QuestionsSection
          datasetId={dataset.id}
          isPublished={dataset.status === 'ready'}
          questions={questions.data}
          fields={fields.data}
          properties={metadata.data}
          hues={colours.data}
          calls={calls}
        />
      </Suspense>
    ),
    metadata: () => <MetadataSection dataset={dataset} properties={metadata.data} calls={calls} />,
    vectors: () => <VectorsSection vectors={vectors.data} calls={calls} />,
    review: () => <ReviewSection dataset={dataset} questions={questions.data} calls={calls} />,
    danger: () => <DangerSection dataset={dataset} workspace={workspace} calls={calls} />,
  }
  return (
    <EditsContext value={edits}>
      <LeaveGuard onShow={(tab) => void navigate({ search: { tab }, replace: true })} />
      <div className={styles['columns']}>
        <SectionNav
          datasetId={dataset.id}
          current={current}
          counts={{
            fields: fields.data.length,
            questions: questions.data.length,
            metadata: metadata.data.length,
            vectors: vectors.data.length,
          }}
        />
        <section aria-labelledby="section-title" className={styles['section']} data-section={current}>
          <h2 id="section-title" className={styles['sectionTitle']}>
            {t(`section.${current}`)}
          </h2>
          {parts[current]()}
        </section>
      </div>
    </EditsContext>
  )
}
