import type { Condition, RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import { useQuery } from '@tanstack/react-query'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { answerMetricsQuery } from '../../api.ts'
import { ConditionEditor } from '../bar/ConditionEditor.tsx'
import { counted } from './counted.ts'

type Props = {
  readonly questionId: string
  readonly filter: ValueFilter
  /** The status of the answers in the list. */
  readonly status: RecordFilterStatus
  readonly label: string
  readonly dots: ReadonlyMap<string, number> | undefined
  readonly condition: Condition | null
  readonly onChange: (condition: Condition | null) => void
}

/** The values of the user's answers to a question. For each value, shows how many answers with the selected status have it. */
export const AnswerValues = ({ questionId, filter, status, ...editor }: Props) => {
  const isAnswered = status !== 'pending'
  const { data, error } = useQuery({
    ...answerMetricsQuery(questionId, isAnswered ? status : 'submitted'),
    enabled: isAnswered,
  })
  // If the counts can't be loaded, the values are shown without counts and can still be chosen.
  const isLeftOut = !isAnswered || (error !== null && !data)
  return <ConditionEditor {...counted(filter, isLeftOut ? null : data?.values)} {...editor} />
}
