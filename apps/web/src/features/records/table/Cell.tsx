import type { Dataset } from '@postil/contract/datasets.ts'
import { fieldSlice } from '#field-types/registry.ts'
import { formatAgreement, formatCount, formatDateTime, formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { valueText } from '#question-types/value-text.ts'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import type { Row } from '../api.ts'
import { givenAnswers } from '../given-answers.ts'
import type { People } from '../people.ts'
import { AnswerChips } from './AnswerChips.tsx'
import type { Column } from './columns.ts'
import styles from './RecordsTable.module.css'

/** Maximum number of characters of a field that a cell shows. */
const maxText = 200

export type CellProps = {
  readonly column: Column
  /** All shown columns. */
  readonly columns: readonly Column[]
  readonly row: Row
  readonly dataset: Dataset
  readonly people: People
  /** The usernames of the people to whom the record is assigned. */
  readonly assignees: readonly string[]
}

/** The content of one cell. */
export const Cell = ({ column, columns, row: { record, number }, dataset, people, assignees }: CellProps) => {
  const { t } = useTranslation('features/records')
  if (column.kind === 'number') return formatCount(number)
  if (column.kind === 'external_id') {
    const id = record.external_id ?? record.id
    return (
      <bdi className={styles['id']} title={id}>
        {id}
      </bdi>
    )
  }
  if (column.kind === 'assigned_to') {
    const names = formatList(assignees, true)
    return <bdi title={names}>{names}</bdi>
  }
  if (column.kind === 'updated_at') return <time>{formatDateTime(record.updated_at)}</time>
  if (column.kind === 'status') {
    const submitted = givenAnswers(record).filter(({ status }) => status === 'submitted').length
    const required = dataset.distribution.min_submitted + (record.extra_answers ?? 0)
    return (
      <>
        <StatusBadge status={record.status} />{' '}
        <span className={styles['quiet']}>
          {t('answersOf', { count: required, submitted: formatCount(submitted), required: formatCount(required) })}
        </span>
      </>
    )
  }
  if (column.kind === 'field') {
    const text = fieldSlice(column.field.settings)
      .plainText(record.fields[column.field.name] ?? null)
      .slice(0, maxText)
    return <bdi>{text}</bdi>
  }
  if (column.kind === 'agreement') {
    const { name } = column.question
    const agreement = Object.hasOwn(record.agreement ?? {}, name) ? record.agreement?.[name] : undefined
    return agreement === undefined ? null : <span data-full={agreement === 1 ? '' : undefined}>{formatAgreement(agreement)}</span>
  }
  if (column.kind === 'question') return <AnswerChips question={column.question} record={record} people={people} />
  const questions = columns.flatMap((one) => (one.kind === 'question' ? [one.question] : []))
  const suggested = (record.suggestions ?? []).flatMap(({ question_id, value }) => {
    const question = questions.find(({ id }) => id === question_id)
    return question ? [valueText(question, value)] : []
  })
  return <bdi className={styles['quiet']}>{suggested.join(' · ')}</bdi>
}
