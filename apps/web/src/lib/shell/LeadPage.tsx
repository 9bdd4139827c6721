import type { Dataset } from '@postil/contract/datasets.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { blockingError } from '#lib/api/blocking-error.ts'
import { datasetQuery, isUnknownDataset, questionsQuery } from '#lib/api/dataset-queries.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { DatasetCrumbs } from './DatasetCrumbs.tsx'
import { DatasetTabs } from './DatasetTabs.tsx'
import { HeaderContent } from './header-slots.tsx'
import styles from './LeadPage.module.css'

type Props = {
  readonly datasetId: string
  readonly title: string
  readonly to: '/dataset/$datasetId/overview' | '/dataset/$datasetId/models'
  readonly children: (loaded: { readonly dataset: Dataset; readonly questions: readonly Question[] }) => ReactNode
}

/** A page of a dataset for owners and admins, with the dataset's breadcrumbs and tabs. Waits for the dataset. */
export const LeadPage = ({ datasetId, title, to, children }: Props) => {
  const dataset = useQuery(datasetQuery(datasetId))
  const questions = useQuery(questionsQuery(datasetId))
  useDocumentTitle(title, ...(dataset.data ? [dataset.data.name] : []))
  const error = blockingError(dataset, questions)
  if (isUnknownDataset(error)) throw notFound()
  if (error) throw error
  return (
    <>
      <HeaderContent crumbs={<DatasetCrumbs dataset={dataset.data} page={{ label: title, to }} />} />
      <DatasetTabs datasetId={datasetId} isLead />
      <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!questions.data}>
        <h1 className="visually-hidden">{title}</h1>
        {dataset.data && questions.data ? (
          children({ dataset: dataset.data, questions: questions.data })
        ) : (
          <Skeleton height="9lh" />
        )}
      </main>
    </>
  )
}
