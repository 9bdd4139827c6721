import type { Dataset } from '@postil/contract/datasets.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate, notFound } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { datasetQuery, fieldsQuery, isUnknownDataset, metadataPropertiesQuery, questionsQuery } from '#lib/api/dataset-queries.ts'
import { isRunning } from '#lib/jobs.ts'
import { DatasetCrumbs } from '#lib/shell/DatasetCrumbs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { useUnsavedForm } from '#lib/unsaved-forms.ts'
import { buttonClass } from '#ui/controls/button-class.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { ArrowRightIcon } from '#ui/marks/icons.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { importsQuery } from '../../api.ts'
import type { Parts, TargetsOfFile } from '../../targets.ts'
import { withProposedTargets } from '../../targets.ts'
import { useUpload } from '../../use-upload.ts'
import { useWaitForImport } from '../../use-wait-for-import.ts'
import { RetryHubImport } from '../hub/RetryHubImport.tsx'
import page from '../NewDatasetPage.module.css'
import { FilePicker } from '../source/FilePicker.tsx'
import { ImportForm } from './ImportForm.tsx'
import styles from './ImportPage.module.css'
import { ImportState } from './ImportState.tsx'

const route = getRouteApi('/inside/dataset/$datasetId/import')

export const ImportPage = () => {
  const { datasetId } = route.useParams()
  const { t } = useTranslation('features/create')
  const dataset = useQuery(datasetQuery(datasetId))
  const fields = useQuery(fieldsQuery(datasetId))
  const questions = useQuery(questionsQuery(datasetId))
  const properties = useQuery(metadataPropertiesQuery(datasetId))
  useDocumentTitle(t('imports.title'), ...(dataset.data ? [dataset.data.name] : []))
  const error = blockingError(dataset, fields, questions, properties)
  if (isUnknownDataset(error)) throw notFound()
  if (error) throw error
  if (dataset.data?.status === 'draft') return <Navigate to="/new/{-$datasetId}" params={{ datasetId }} replace />
  const isReady = dataset.data && fields.data && questions.data && properties.data
  return (
    <main id="main" tabIndex={-1} className={page['page']} aria-busy={!isReady}>
      <HeaderContent
        crumbs={<DatasetCrumbs dataset={dataset.data} page={{ label: t('imports.crumb'), to: '/dataset/$datasetId/import' }} />}
      />
      <h1 className={page['title']}>{t('imports.title')}</h1>
      {isReady ? (
        <Imports
          key={datasetId}
          dataset={dataset.data}
          of={{ fields: fields.data, questions: questions.data, properties: properties.data }}
        />
      ) : (
        <Skeleton height="9lh" />
      )}
    </main>
  )
}

/** Announces the end of an import and reloads the counts of the dataset. */
const useOnImportEnded = (datasetId: string, running: number): void => {
  const { t } = useTranslation('features/create')
  const client = useQueryClient()
  const before = useRef(running)
  useEffect(() => {
    if (running < before.current) {
      announce(t('imports.ended'))
      for (const counts of ['progress', 'my-metrics']) void client.invalidateQueries({ queryKey: ['dataset', datasetId, counts] })
      void client.invalidateQueries({ queryKey: ['home'] })
    }
    before.current = running
  }, [running, client, datasetId, t])
}

const Imports = ({ dataset, of }: { readonly dataset: Dataset; readonly of: Parts }) => {
  const { t } = useTranslation('features/create')
  const imports = useQuery(importsQuery(dataset.id))
  const form = `import ${dataset.id}`
  const restored = useUnsavedForm<TargetsOfFile>(useUser().id, form)
  const [startedForm, setStartedForm] = useState(restored)
  const upload = useUpload(dataset.id, (file) => setStartedForm(withProposedTargets(file)))
  const items = imports.data ?? []
  const running = items.filter(({ job }) => isRunning(job))
  useOnImportEnded(dataset.id, running.length)
  const isImportPending = useWaitForImport(dataset.id, running[0]?.job.id ?? null)
  const error = blockingError(imports)
  if (error) throw error
  const leaveForm = (): void => {
    setStartedForm(null)
    document.getElementById('main')?.focus()
  }
  const hasRecords = items.some(({ job }) => (job.import?.created ?? 0) + (job.import?.updated ?? 0) > 0)
  if (startedForm)
    return (
      <ImportForm
        name={form}
        dataset={dataset}
        of={of}
        initialTargets={startedForm}
        imports={items}
        upload={upload}
        onDone={leaveForm}
      />
    )
  return (
    <div className={styles['narrow']}>
      {items.length > 0 && (
        <section aria-labelledby="imports-last" className={styles['last']}>
          <h2 id="imports-last" className={styles['heading']}>
            {t('imports.last')}
          </h2>
          <ul>
            {items.map((item) => (
              <ImportState key={item.file.id} datasetId={dataset.id} item={item} />
            ))}
          </ul>
          <p role="status" className={styles['wait']}>
            {running.length > 0 && (isImportPending ? t('imports.waiting') : t('imports.background'))}
          </p>
          <RetryHubImport dataset={dataset} items={items} />
          {hasRecords && !isImportPending && (
            <Link
              to="/dataset/$datasetId/annotation-mode"
              params={{ datasetId: dataset.id }}
              className={buttonClass('primary', 'main')}
            >
              {t('imports.annotate')}
              <ArrowRightIcon />
            </Link>
          )}
        </section>
      )}
      <section aria-labelledby="imports-new">
        <h2 id="imports-new" className={styles['heading']}>
          {items.length > 0 ? t('imports.another') : t('imports.file')}
        </h2>
        <p className={styles['hint']}>{t('imports.hint')}</p>
        <FilePicker upload={upload} look={items.length > 0 ? 'line' : 'wide'} label={t('file.choose')} />
      </section>
    </div>
  )
}
