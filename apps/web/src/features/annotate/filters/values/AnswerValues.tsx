import { useQuery } from '@tanstack/react-query'
import type { Condition, RecordFilterStatus } from '#lib/url/grammar.ts'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { answerMetricsQuery } from '../../api.ts'
import { ConditionEditor } from '../bar/ConditionEditor.tsx'
import { counted } from './counted.ts'

type Props = {
  readonly questionId: string
  readonly filter: ValueFilter
  /** Of the answers that the list is about. */
  readonly status: RecordFilterStatus
  readonly label: string
  readonly dots: ReadonlyMap<string, number> | undefined
  readonly condition: Condition | null
  readonly onChange: (condition: Condition | null) => void
}

/** What one has answered to a question, with how often in answers of the status that is looked at. */
export const AnswerValues = ({ questionId, filter, status, ...editor }: Props) => {
  const isAnswered = status !== 'pending'
  const { data, error } = useQuery({
    ...answerMetricsQuery(questionId, isAnswered ? status : 'submitted'),
    enabled: isAnswered,
  })
  // What is not to be had is left out: values can be chosen without it.
  const isLeftOut = !isAnswered || (error !== null && !data)
  return <ConditionEditor {...counted(filter, isLeftOut ? null : data?.values)} {...editor} />
}
