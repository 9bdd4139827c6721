import type { Dataset } from '@postil/contract/datasets.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, notFound } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { datasetQuery, isUnknownDataset, questionsQuery } from '#lib/api/dataset-queries.ts'
import { DatasetCrumbs } from '#lib/shell/DatasetCrumbs.tsx'
import { DatasetTabs } from '#lib/shell/DatasetTabs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { connectionsQuery, modelCalls, runsQuery } from './api.ts'
import { ConnectionDialog } from './connections/ConnectionDialog.tsx'
import { ConnectionsPanel } from './connections/ConnectionsPanel.tsx'
import { ModelsContextProvider, useModels } from './context.ts'
import styles from './models.module.css'
import { ResultsPanel } from './ResultsPanel.tsx'
import { RunsPanel } from './RunsPanel.tsx'
import { RunDetail } from './run/RunDetail.tsx'

const route = getRouteApi('/inside/dataset/$datasetId/models')

/** The models that are asked about a dataset's records. For owners and admins; annotators get a "not found" page. */
export const ModelsPage = () => {
  const { datasetId } = route.useParams()
  const { t } = useTranslation('features/models')
  const user = useUser()
  if (user.role === 'annotator') throw notFound()
  const dataset = useQuery(datasetQuery(datasetId))
  const questions = useQuery(questionsQuery(datasetId))
  useDocumentTitle(t('title'), ...(dataset.data ? [dataset.data.name] : []))
  const error = blockingError(dataset, questions)
  if (isUnknownDataset(error)) throw notFound()
  if (error) throw error
  return (
    <>
      <HeaderContent
        crumbs={<DatasetCrumbs dataset={dataset.data} page={{ label: t('title'), to: '/dataset/$datasetId/models' }} />}
      />
      <DatasetTabs datasetId={datasetId} isLead />
      <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!questions.data}>
        <h1 className="visually-hidden">{t('title')}</h1>
        {dataset.data && questions.data ? (
          <Content key={datasetId} dataset={dataset.data} questions={questions.data} />
        ) : (
          <Skeleton height="9lh" />
        )}
      </main>
    </>
  )
}

const Content = ({ dataset, questions }: { readonly dataset: Dataset; readonly questions: readonly Question[] }) => {
  const { run: openId } = route.useSearch()
  const client = useQueryClient()
  const runs = useQuery(runsQuery(dataset.id))
  const connections = useQuery(connectionsQuery(dataset.workspace_id))
  const calls = useMemo(
    () => modelCalls(client, { datasetId: dataset.id, workspaceId: dataset.workspace_id }),
    [client, dataset.id, dataset.workspace_id],
  )
  const context = useMemo(
    () => (runs.data && connections.data ? { dataset, questions, calls, runs: runs.data, connections: connections.data } : null),
    [dataset, questions, calls, runs.data, connections.data],
  )
  const error = blockingError(runs, connections)
  if (error) throw error
  if (context === null) return <Skeleton height="18rem" />
  const open = context.runs.find(({ id }) => id === openId)
  return (
    <ModelsContextProvider value={context}>
      <div className={styles['panels']}>{open ? <RunDetail key={open.id} run={open} /> : <Lists />}</div>
    </ModelsContextProvider>
  )
}

const Lists = () => {
  const { t } = useTranslation('features/models')
  const { runs, connections } = useModels()
  const [isAdding, setAdding] = useState(false)
  const isEmpty = runs.length === 0 && connections.length === 0
  return (
    <>
      {isEmpty ? (
        <EmptyState
          title={t('empty')}
          hint={
            <>
              <p>{t('emptyHint')}</p>
              <p>{t('localHint')}</p>
            </>
          }
          action={
            <Button look="primary" onClick={() => setAdding(true)}>
              {t('connections.add')}
            </Button>
          }
        />
      ) : (
        <>
          <RunsPanel />
          <ResultsPanel />
          <ConnectionsPanel onAdd={() => setAdding(true)} />
        </>
      )}
      {isAdding && <ConnectionDialog connection={null} onClose={() => setAdding(false)} />}
    </>
  )
}
