import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import type { SuggestionCondition } from '#lib/url/grammar.ts'
import { questionSlice } from '#question-types/registry.ts'
import { useChosenHues } from '#question-types/shared/label-hues.ts'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { agentsQuery } from '../api.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import styles from './FilterPanel.module.css'
import type { Filters } from './filters.ts'
import { conditionAt, withCondition } from './filters.ts'

type Property = SuggestionCondition['property']
type Props = {
  readonly datasetId: string
  readonly question: Question
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

const scores: ValueFilter = { by: 'range', min: 0, max: 1, whole: false }

/** What is suggested to a question, how sure the suggestions are, and whose they are. */
export const SuggestionValues = ({ datasetId, question, filters, onChange }: Props) => {
  const { t } = useTranslation('features/annotate')
  const dots = useChosenHues(question.id)
  const { data: agents } = useQuery(agentsQuery(datasetId))
  const { name, settings } = question
  const named: ValueFilter = {
    by: 'terms',
    together: false,
    options: (agents?.get(question.id) ?? []).map((agent) => ({ value: agent, text: agent })),
  }
  const parts: readonly (readonly [Property, ValueFilter | null])[] = [
    ['value', questionSlice(settings.type).valueFilter?.(settings) ?? null],
    ['score', scores],
    ['agent', agents ? named : null],
  ]
  return parts.map(([property, filter]) => {
    const place = { kind: 'suggestion', name, property } as const
    return (
      filter && (
        <div key={property} className={styles['part']}>
          <h4 className={styles['partTitle']}>{t(`filters.part.${property}`)}</h4>
          <ConditionEditor
            filter={filter}
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
