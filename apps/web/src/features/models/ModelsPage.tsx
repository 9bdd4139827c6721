import type { Dataset } from '@postil/contract/datasets.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, notFound } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { LeadPage } from '#lib/shell/LeadPage.tsx'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
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
  return (
    <LeadPage datasetId={datasetId} title={t('title')} to="/dataset/$datasetId/models">
      {(loaded) => <Content key={datasetId} {...loaded} />}
    </LeadPage>
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
