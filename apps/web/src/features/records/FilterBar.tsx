import { unassigned } from '@postil/contract/assignments.ts'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { reviewSettingsQuery } from '#lib/api/review-queries.ts'
import type { RecordsSearch } from '#lib/url/records-search.ts'
import { questionSlice } from '#question-types/registry.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CheckList } from '#ui/controls/CheckList.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { ListIcon, SearchIcon } from '#ui/marks/icons.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import { AgreementFilter } from './AgreementFilter.tsx'
import { DateFilter } from './DateFilter.tsx'
import type { People } from './people.ts'
import styles from './RecordsPage.module.css'
import { type Differ, printAnswer, printDiffer, readAnswer, readDiffer } from './search-body.ts'
import { type Column, measuredIn, useColumnTitle } from './table/columns.ts'
import { useTotal } from './table/use-rows.ts'

type Change = { readonly [K in keyof RecordsSearch]?: RecordsSearch[K] | undefined }
type Props = {
  readonly search: RecordsSearch
  readonly dataset: Dataset
  readonly body: SearchBodyInput
  readonly questions: readonly Question[]
  readonly people: People
  readonly columns: readonly Column[]
  /** The IDs of the hidden columns. */
  readonly hidden: readonly string[]
  readonly onToggle: (column: string) => void
  readonly onChange: (change: Change) => void
}

const reviewStates = ['none', 'started', 'final', 'stale'] as const

/** The value of the first option of a select. This option turns the filter off. */
const any = ''

/** Returns the filter options for a question's answers. There is one option for each label or rating. */
export const answersOf = (question: Question): readonly { readonly value: string; readonly label: string }[] => {
  const filter = questionSlice(question.settings).valueFilter?.(question.settings)
  if (!filter) return []
  const options =
    filter.by === 'terms'
      ? filter.options
      : (question.settings as { readonly options?: readonly { readonly value: number }[] }).options?.map(({ value }) => ({
          value: String(value),
          text: formatCount(value),
        }))
  return (options ?? []).map(({ value, text }) => ({
    value: printAnswer({ question: question.name, value }),
    label: `${question.title}: ${text}`,
  }))
}

/** The filters above the table, and the choice of columns. The address contains the filters. */
export const FilterBar = ({ search, dataset, body, questions, people, columns, hidden, onToggle, onChange }: Props) => {
  const { t } = useTranslation('features/records')
  const [text, setText] = useState(search.search ?? '')
  const [applied, setApplied] = useState(search.search)
  if (applied !== search.search) {
    // The URL has changed through back navigation or a link.
    setApplied(search.search)
    setText(search.search ?? '')
  }
  const total = useTotal(dataset.id, body)
  const { data: review } = useQuery(reviewSettingsQuery(dataset.id))
  const isReviewed = review !== undefined && review.mode !== 'off'
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    onChange({ search: text.trim() === '' ? undefined : text.trim() })
  }
  const answers = questions.flatMap(answersOf)
  const answered = readAnswer(search.answer)
  const differ = readDiffer(search.differ)
  const differOptions = (from: Differ['from'], label: string) => [
    { value: printDiffer({ from, question: null }), label },
    ...(questions.length < 2
      ? []
      : questions.map(({ name, title }) => ({ value: printDiffer({ from, question: name }), label: `${label}: ${title}` }))),
  ]
  const titleOf = useColumnTitle()
  const measured = measuredIn(dataset, questions)
  return (
    <div className={styles['filters']}>
      <search className={styles['search']}>
        <form onSubmit={onSubmit}>
          <Input
            label={t('search')}
            hideLabel
            placeholder={t('search')}
            autoComplete="off"
            enterKeyHint="search"
            before={<SearchIcon />}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </form>
      </search>
      <Select
        label={t('filter.status')}
        value={search.status ?? any}
        options={[
          { value: any, label: t('filter.anyStatus') },
          { value: 'pending', label: t('filter.pending') },
          { value: 'completed', label: t('filter.completed') },
        ]}
        onChange={(status) => onChange({ status: status === 'pending' || status === 'completed' ? status : undefined })}
      />
      {(isReviewed || search.review !== undefined) && (
        <Select
          label={t('filter.review')}
          value={search.review ?? any}
          options={[
            { value: any, label: t('filter.anyReview') },
            ...reviewStates.map((state) => ({ value: state, label: t(`filter.reviewed.${state}`) })),
          ]}
          onChange={(review) => onChange({ review: reviewStates.find((state) => state === review) })}
        />
      )}
      <Select
        label={t('filter.comments')}
        value={search.comments ?? any}
        options={[
          { value: any, label: t('filter.anyComments') },
          { value: 'open', label: t('filter.openComments') },
        ]}
        onChange={(comments) => onChange({ comments: comments === 'open' ? comments : undefined })}
      />
      <Select
        label={t('filter.by')}
        value={search.by ?? any}
        options={[
          { value: any, label: t('filter.anyone') },
          ...people.all.map(({ id, username }) => ({ value: id, label: t('filter.byPerson', { name: username }) })),
        ]}
        onChange={(by) => onChange({ by: by === any ? undefined : by })}
      />
      <Select
        label={t('filter.assigned')}
        value={search.assigned ?? any}
        options={[
          { value: any, label: t('filter.anyAssignee') },
          { value: unassigned, label: t('filter.unassigned') },
          ...people.all.map(({ id, username }) => ({ value: id, label: t('filter.assignedTo', { name: username }) })),
        ]}
        onChange={(assigned) => onChange({ assigned: assigned === any ? undefined : assigned })}
      />
      {answers.length > 0 && (
        <Select
          label={t('filter.answer')}
          value={answered ? printAnswer(answered) : any}
          options={[{ value: any, label: t('filter.anyAnswer') }, ...answers]}
          onChange={(answer) => onChange({ answer: answer === any ? undefined : answer })}
        />
      )}
      <Select
        label={t('filter.differ')}
        value={differ ? printDiffer(differ) : any}
        options={[
          { value: any, label: t('filter.anyAgreement') },
          ...differOptions('answers', t('filter.disagree')),
          ...differOptions('suggestion', t('filter.differFromSuggestion')),
        ]}
        onChange={(next) => onChange({ differ: next === any ? undefined : next })}
      />
      {measured.length > 0 && (
        <AgreementFilter questions={measured} value={search.agreement} onChange={(agreement) => onChange({ agreement })} />
      )}
      <DateFilter from={search.from} to={search.to} onChange={onChange} />
      <Popover
        label={t('columns')}
        align="end"
        trigger={
          <Button look="quiet" icon={ListIcon}>
            {t('columns')}
          </Button>
        }
      >
        <CheckList
          label={t('columns')}
          options={columns.map((column) => ({ value: column.id, text: titleOf(column) }))}
          picked={columns.map(({ id }) => id).filter((id) => !hidden.includes(id))}
          onPick={onToggle}
          search={null}
        />
      </Popover>
      {total !== null && <span className={styles['total']}>{t('found', { count: total, shown: formatCount(total) })}</span>}
    </div>
  )
}
