import type { SuggestionCondition } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import { questionSlice } from '#question-types/registry.ts'
import { useChosenHues } from '#question-types/shared/labels/label-hues.ts'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { agentsQuery, suggestionMetricsQuery } from '../../api.ts'
import { ConditionEditor } from '../bar/ConditionEditor.tsx'
import styles from '../bar/FilterPanel.module.css'
import type { Filters } from '../filters.ts'
import { conditionAt, withCondition } from '../filters.ts'
import type { Counted } from './counted.ts'
import { counted, withBins } from './counted.ts'

type Property = SuggestionCondition['property']
type Props = {
  readonly datasetId: string
  readonly question: Question
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

const scores: ValueFilter = { by: 'range', min: 0, max: 1, whole: false }

/** Used in place of the counts while they are loading. Values can be chosen without counts. */
const isLoading = { values: undefined, agents: undefined, scores: undefined }
const isUnavailable = { values: null, agents: null, scores: null }

export const SuggestionValues = ({ datasetId, question, filters, onChange }: Props) => {
  const { t } = useTranslation('features/annotate')
  const dots = useChosenHues(question.id)
  const { data: agents } = useQuery(agentsQuery(datasetId))
  const { data: metrics, error } = useQuery(suggestionMetricsQuery(question.id))
  const counts = metrics ?? (error ? isUnavailable : isLoading)
  const { name, settings } = question
  const named: ValueFilter = {
    by: 'terms',
    combined: false,
    options: (agents?.get(question.id) ?? []).map((agent) => ({ value: agent, text: agent })),
  }
  const values = questionSlice(settings).valueFilter?.(settings)
  const parts: readonly (readonly [Property, Counted | null | undefined])[] = [
    ['value', values && counted(values, counts.values)],
    ['score', withBins(scores, counts.scores)],
    ['agent', agents && counted(named, counts.agents)],
  ]
  return parts.map(([property, part]) => {
    const place = { kind: 'suggestion', name, property } as const
    return (
      part && (
        <div key={property} className={styles['part']}>
          <h4 className={styles['partTitle']}>{t(`filters.part.${property}`)}</h4>
          <ConditionEditor
            filter={part.filter}
            bins={part.bins}
            label={t(`filters.suggestionKind.${property}`)}
            condition={conditionAt(filters, place)}
            {...(property === 'value' && { dots })}
            onChange={(condition) => onChange(withCondition(filters, place, condition))}
          />
        </div>
      )
    )
  })
}
