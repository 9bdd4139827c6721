import type { Field } from '@postil/contract/fields.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import { memo } from 'react'
import { fieldSlice } from '#field-types/registry.ts'
import type { QuestionOf, ValueOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import { SuggestionIcon } from '#ui/marks/icons.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { suggestionFor } from '../answering/answers.ts'
import type { ListItem } from '../queue/list-item.ts'
import styles from './CompactBody.module.css'

type Props = {
  readonly record: ListItem['record']
  readonly fields: readonly Field[]
  /** The questions of the form. */
  readonly common: readonly Question[]
}

/** More letters than any screen shows in one line. The limit is needed because a record may contain megabytes of text. */
const maxLetters = 400

const lineOf = (field: Field, record: ListItem['record']): string => {
  const value = record.fields[field.name] ?? null
  if (value === null) return ''
  return fieldSlice(field.settings).plainText(value).slice(0, maxLetters).replaceAll(/\s+/g, ' ')
}

/** A record as one line per field, with its suggestions. */
export const CompactBody = memo(({ record, fields, common }: Props) => {
  const lines = fields.map((field) => ({ field, line: lineOf(field, record) })).filter(({ line }) => line !== '')
  const suggested = common.flatMap((question) => {
    const suggestion = suggestionFor(record, question)
    return suggestion ? [{ question, value: suggestion.value }] : []
  })
  return (
    <div className={styles['body']}>
      <dl className={styles['lines']} data-titled={fields.length > 1 ? '' : undefined}>
        {lines.map(({ field, line }) => (
          <div key={field.id} className={styles['line']}>
            <dt className={fields.length > 1 ? styles['title'] : 'visually-hidden'}>
              <bdi>{field.title}</bdi>
            </dt>
            <dd className={styles['text']} dir="auto">
              {line}
            </dd>
          </div>
        ))}
      </dl>
      {suggested.length > 0 && (
        <ul className={styles['suggestions']}>
          {suggested.map(({ question, value }) => {
            const { Value } = questionSlice(question.settings)
            return (
              <li key={question.id} className={styles['suggestion']}>
                <SuggestionIcon size={12} />
                <VisuallyHidden>{question.title}</VisuallyHidden>
                <Value
                  question={question as QuestionOf<QuestionKind>}
                  value={value as ValueOf[QuestionKind]}
                  fields={record.fields}
                  score={null}
                />
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
})
