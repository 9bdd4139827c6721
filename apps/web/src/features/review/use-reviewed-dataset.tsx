import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { DeletedDataset } from '#features/deleted-dataset/public.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { datasetQuery, fieldsQuery, isUnknownDataset, labelColoursQuery, questionsQuery } from '#lib/api/dataset-queries.ts'
import { noLabelHues } from '#question-types/shared/labels/label-hues.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'

type Options = {
  readonly title: string
  readonly className: string | undefined
  /** What the page also needs. */
  readonly more: Pick<UseQueryResult, 'data' | 'error'>
}

/**
 * Loads a dataset and everything needed to show its records. If the dataset is deleted while the page is open, `gone` is the
 * content to show instead. Otherwise, `gone` is null. Throws the error if something that the page needs can't be loaded.
 */
export const useReviewedDataset = (datasetId: string, { title, className, more }: Options) => {
  const dataset = useQuery(datasetQuery(datasetId))
  const fields = useQuery(fieldsQuery(datasetId))
  const questions = useQuery(questionsQuery(datasetId))
  const { data: hues = noLabelHues } = useQuery(labelColoursQuery(datasetId))
  useDocumentTitle(title, ...(dataset.data ? [dataset.data.name] : []))
  const error = blockingError(dataset, fields, questions, more)
  const loaded = { dataset: dataset.data, fields: fields.data, questions: questions.data, hues }
  if (!isUnknownDataset(error)) {
    if (error) throw error
    return { ...loaded, gone: null }
  }
  if (!dataset.data) throw notFound()
  const gone: ReactNode = (
    <Suspense fallback={<main id="main" tabIndex={-1} className={className} aria-busy="true" />}>
      <DeletedDataset datasetId={datasetId} name={dataset.data.name} />
    </Suspense>
  )
  return { ...loaded, gone }
}
