import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useCallback, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { questionSlice } from '#question-types/registry.ts'
import { agreementColumn, type SortColumn } from '../search-body.ts'

export type Column = { readonly id: string; readonly width: number; readonly sort?: SortColumn } & (
  | { readonly kind: 'number' | 'external_id' | 'status' | 'suggestion' | 'assigned_to' | 'updated_at' }
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'question' | 'agreement'; readonly question: Question }
)

/** The questions whose agreement is measured on each record. None if records need only one answer. */
export const measuredIn = (dataset: Dataset, questions: readonly Question[]): readonly Question[] =>
  dataset.distribution.min_submitted < 2
    ? []
    : questions.filter(({ settings }) => questionSlice(settings).rules.hasAgreement === true)

const questionColumns = (question: Question, isMeasured: boolean): readonly Column[] => {
  const { name } = question
  const answers: Column = { id: `question ${name}`, kind: 'question', question, width: 260 }
  const agreement = { id: `agreement ${name}`, kind: 'agreement' as const, question, width: 184, sort: agreementColumn(name) }
  return isMeasured ? [answers, agreement] : [answers]
}

/** All columns of a dataset's table. */
export const columnsOf = (dataset: Dataset, fields: readonly Field[], questions: readonly Question[]): readonly Column[] => [
  { id: 'number', kind: 'number', width: 72 },
  { id: 'external_id', kind: 'external_id', width: 128, sort: 'external_id' },
  ...fields.slice(0, 1).map((field): Column => ({ id: `field ${field.name}`, kind: 'field', field, width: 320 })),
  { id: 'status', kind: 'status', width: 232, sort: 'status' },
  ...questions.flatMap((question) => questionColumns(question, measuredIn(dataset, questions).includes(question))),
  { id: 'suggestion', kind: 'suggestion', width: 180 },
  { id: 'assigned_to', kind: 'assigned_to', width: 160 },
  { id: 'updated_at', kind: 'updated_at', width: 176, sort: 'updated_at' },
]

/** The narrowest and the widest column, in pixels. */
export const minWidth = 56
export const maxWidth = 960

type Widths = { readonly [column: string]: number }
const parseWidths = (text: string): Widths => {
  try {
    // The stored text was written by `useColumnLayout`, so it has this type.
    return JSON.parse(text) as Widths
  } catch {
    return {}
  }
}

/** The columns that a user has hidden in a dataset, and the widths that the user has set. This browser stores both. */
export const useColumnLayout = (userId: string, datasetId: string) => {
  const keys = { hidden: `records-hidden:${userId}:${datasetId}`, widths: `records-widths:${userId}:${datasetId}` }
  const [{ hidden, widths }, setLayout] = useState(() => {
    const read = (key: string): string => String(preferences.read().layout[key] ?? '')
    return { hidden: read(keys.hidden).split('\n').filter(Boolean), widths: parseWidths(read(keys.widths)) }
  })
  const store = (key: string, text: string): void => preferences.write({ layout: { ...preferences.read().layout, [key]: text } })
  const toggle = (id: string): void => {
    const next = hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id]
    setLayout({ hidden: next, widths })
    store(keys.hidden, next.join('\n'))
  }
  /** Sets a column's width in pixels. Null restores the original width. */
  const resize = (id: string, width: number | null): void => {
    const { [id]: _, ...others } = widths
    const next = width === null ? others : { ...others, [id]: Math.round(Math.min(maxWidth, Math.max(minWidth, width))) }
    setLayout({ hidden, widths: next })
    store(keys.widths, JSON.stringify(next))
  }
  const widthOf = ({ id, width }: Column): number => {
    const own: unknown = Object.hasOwn(widths, id) ? widths[id] : undefined
    return typeof own === 'number' ? own : width
  }
  return { hidden, toggle, resize, widthOf }
}

/** Returns a function that gives a column's title. */
export const useColumnTitle = (): ((column: Column) => string) => {
  const { t } = useTranslation('features/records')
  return useCallback(
    (column) => {
      if (column.kind === 'field') return column.field.title
      if (column.kind === 'agreement') return t('column.agreement', { title: column.question.title })
      return column.kind === 'question' ? column.question.title : t(`column.${column.kind}`)
    },
    [t],
  )
}
