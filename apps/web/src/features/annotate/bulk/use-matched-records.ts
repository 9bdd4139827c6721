import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import { searchBody } from '@postil/contract/annotation-query/search-body.ts'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { listKey } from '../address/list-of-query.ts'
import { emptyAnswers, isOfRecord, valuesToSend, withOwnAnswers } from '../answering/answers.ts'
import type { BulkAnswer } from '../answering/bulk-answer.ts'
import { answerJobsQuery, startAnswers } from './api.ts'
import type { BulkSource } from './use-bulk-answers.ts'

type Options = {
  readonly dataset: Dataset
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  /** The number of records that match the search. Null until it is known. */
  readonly total: number | null
  readonly onStarted: (jobId: string) => void
}

/** The selection of all matching records, not only those on the page, and the job that answers them. */
export const useMatchedRecords = ({ dataset, questions, query, total, onStarted }: Options) => {
  const { t } = useTranslation('features/annotate')
  const client = useQueryClient()
  const { lines } = useOutbox()
  // A different search resets the selection.
  const key = listKey(query)
  const [selectedKey, setSelectedKey] = useState<string | null>(null)
  const count = total ?? 0
  const isAll = selectedKey === key && count > 0
  const start = useMutation({
    mutationFn: ({ status, common, accepted, source }: BulkAnswer & { readonly source: BulkSource }) =>
      startAnswers(dataset.id, {
        search: searchBody(query),
        limit: query.similarity?.limit ?? null,
        status,
        values: valuesToSend(questions, withOwnAnswers(questions, common, emptyAnswers(questions))),
        own_questions: questions
          .filter((question) => isOfRecord(question) || (source === 'suggestions' && accepted.has(question.name)))
          .map(({ name }) => name),
        skip_suggestions: questions
          .filter((question) => status === 'submitted' && isOfRecord(question) && !accepted.has(question.name))
          .map(({ name }) => name),
      }),
    onSuccess: ({ id }) => {
      setSelectedKey(null)
      onStarted(id)
      return client.invalidateQueries({ queryKey: answerJobsQuery(dataset.id).queryKey })
    },
  })
  return {
    isAll,
    count,
    select: (): void => {
      setSelectedKey(key)
      announce(t('bulk.matched.all', { count, formatted: formatCount(count) }))
    },
    clear: (): void => setSelectedKey(null),
    /**
     * The number of answers that haven't reached the server. If a job starts before the server has these answers, the job answers
     * their records again.
     */
    unsent: [...lines.values()].filter(({ dataset_id }) => dataset_id === dataset.id).length,
    start: start.mutate,
    isStarting: start.isPending,
  }
}
