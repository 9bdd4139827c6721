import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Suggestion } from '@postil/contract/suggestions.ts'
import { useState } from 'react'
import { formatScore } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { QuestionOf, ValueOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import { SuggestionIcon } from '#ui/marks/icons.tsx'
import { suggestionFor } from '../answering/answers.ts'
import styles from './CardSuggestions.module.css'
import { FoldedContent } from './FoldedContent.tsx'

type Props = { readonly record: AnnotationRecord; readonly questions: readonly Question[] }

/**
 * The suggestions for one record, read-only. They can't be edited here, because the form's answers apply to all selected records.
 */
export const CardSuggestions = ({ record, questions }: Props) => {
  const { t } = useTranslation('features/annotate')
  const suggested = questions.flatMap((question) => {
    const suggestion = suggestionFor(record, question)
    return suggestion ? [{ question, suggestion }] : []
  })
  if (suggested.length === 0) return null
  return (
    <dl className={styles['list']} aria-label={t('bulk.suggestions')}>
      {suggested.map(({ question, suggestion }) => (
        <CardSuggestion key={question.id} record={record} question={question} suggestion={suggestion} />
      ))}
    </dl>
  )
}

type OneProps = { readonly record: AnnotationRecord; readonly question: Question; readonly suggestion: Suggestion }

const CardSuggestion = ({ record, question, suggestion: { value, agent, score } }: OneProps) => {
  const [isOpen, setOpen] = useState(false)
  const { Value } = questionSlice(question.settings)
  return (
    <div className={styles['one']}>
      <dt className={styles['question']}>
        <SuggestionIcon size={12} />
        <bdi>{question.title}</bdi>
      </dt>
      <dd className={styles['suggestion']}>
        <div className={styles['value']}>
          <FoldedContent isShort isOpen={isOpen} onOpen={setOpen}>
            <Value
              question={question as QuestionOf<QuestionKind>}
              value={value as ValueOf[QuestionKind]}
              fields={record.fields}
              score={score}
            />
          </FoldedContent>
        </div>
        {(agent !== null || typeof score === 'number') && (
          <span className={styles['origin']}>
            {agent !== null && <bdi>{agent}</bdi>} {typeof score === 'number' && formatScore(score)}
          </span>
        )}
      </dd>
    </div>
  )
}
