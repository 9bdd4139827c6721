import type { Gold } from '@postil/contract/gold.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { GoldMark } from '#features/review/public.ts'
import { formatAgreement } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { QuestionValue } from '#question-types/QuestionValue.tsx'
import { isSameValue } from '#question-types/value-text.ts'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import { givenAnswers } from '../given-answers.ts'
import type { People } from '../people.ts'
import styles from './RecordPanel.module.css'

type Props = {
  /** The record's final answers; null if there are none. */
  readonly gold: Gold | null
  readonly record: AnnotationRecord
  readonly questions: readonly Question[]
  readonly people: People
  /** The agreement on the record, keyed by question name. Questions whose agreement is unknown are omitted. */
  readonly agreement: NonNullable<AnnotationRecord['agreement']>
}
/** Everyone's answers side by side: one row for each question, one column for each person and one for the suggestion. */
export const AnswersTable = ({ record, questions, people, agreement, gold }: Props) => {
  const { t } = useTranslation('features/records')
  const responses = givenAnswers(record)
  const suggestionOf = ({ id }: Question) => record.suggestions?.find(({ question_id }) => question_id === id)
  const hasSuggestions = questions.some((question) => suggestionOf(question) !== undefined)
  if (responses.length === 0 && !hasSuggestions) return <p className={styles['none']}>{t('panel.noAnswers')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={styles['answers']} aria-label={t('panel.answers')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('panel.question')}</th>
            {gold && (
              <th scope="col">
                {t('panel.gold')}
                {gold.stale && <span className={styles['differs']}>{t('panel.stale')}</span>}
              </th>
            )}
            {responses.map(({ id, user_id, status }) => (
              <th key={id} scope="col">
                <bdi>{people.nameOf(user_id)}</bdi>
                <StatusBadge status={status} />
              </th>
            ))}
            {hasSuggestions && <th scope="col">{t('column.suggestion')}</th>}
          </tr>
        </thead>
        <tbody>
          {questions.map((question) => {
            const answerIn = ({ values }: (typeof responses)[number]): unknown =>
              values && Object.hasOwn(values, question.name) ? values[question.name]?.value : undefined
            const submitted = responses.filter(({ status }) => status === 'submitted').map(answerIn)
            const given = submitted.filter((value) => value !== undefined)
            const differs = given.some((value) => !isSameValue(value, given[0]))
            const suggestion = suggestionOf(question)
            const final = gold && Object.hasOwn(gold.values, question.name) ? gold.values[question.name] : undefined
            const agreed = Object.hasOwn(agreement, question.name) ? agreement[question.name] : undefined
            return (
              <tr key={question.id} data-differs={differs ? '' : undefined}>
                <th scope="row">
                  <bdi>{question.title}</bdi>
                  {differs && <span className={styles['differs']}>{t('panel.differs')}</span>}
                  {agreed !== undefined && (
                    <span className={styles['agreement']}>{t('panel.agreement', { agreement: formatAgreement(agreed) })}</span>
                  )}
                </th>
                {gold && (
                  <td>
                    {final ? (
                      <>
                        <QuestionValue question={question} fields={record.fields} value={final.value} />
                        <GoldMark answer={final} />
                      </>
                    ) : (
                      '–'
                    )}
                  </td>
                )}
                {responses.map((response) => {
                  const value = answerIn(response)
                  return (
                    <td key={response.id}>
                      {value === undefined ? '–' : <QuestionValue question={question} fields={record.fields} value={value} />}
                    </td>
                  )
                })}
                {hasSuggestions && (
                  <td>
                    {suggestion ? <QuestionValue question={question} fields={record.fields} value={suggestion.value} /> : '–'}
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
