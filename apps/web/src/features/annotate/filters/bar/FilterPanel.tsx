import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { use, useId, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { metadataPropertiesQuery } from '#lib/api/dataset-queries.ts'
import { questionSlice } from '#question-types/registry.ts'
import { LabelHuesContext } from '#question-types/shared/labels/label-hues.ts'
import { Input } from '#ui/controls/Input.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { ChevronRightIcon } from '#ui/marks/icons.tsx'
import type { FilterKind, FilterPlace, Filters } from '../filters.ts'
import { activeFilters, conditionAt, withCondition } from '../filters.ts'
import { useFilterTexts } from '../use-filter-texts.ts'
import { useSeesSuggestions } from '../use-sees-suggestions.ts'
import { AnswerValues } from '../values/AnswerValues.tsx'
import { MetadataValues } from '../values/MetadataValues.tsx'
import { SuggestionValues } from '../values/SuggestionValues.tsx'
import styles from './FilterPanel.module.css'

type Props = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  readonly status: RecordFilterStatus
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

type Item = { readonly name: string; readonly title: string; readonly content: () => ReactNode }
type Group = { readonly kind: FilterKind; readonly note: ReactNode; readonly items: readonly Item[] }

/** The minimum number of filters for which a search box is shown. */
const searchFrom = 8
const idOf = (kind: FilterKind, name: string): string => `${kind} ${name}`

type FilterItemProps = {
  readonly title: string
  /** A description of the active condition. Null if no condition is active. */
  readonly summary: string | null
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

const FilterItem = ({ title, summary, isOpen, onToggle, children }: FilterItemProps) => {
  const id = useId()
  const Arrow = isOpen ? ChevronDownIcon : ChevronRightIcon
  return (
    <li className={styles['item']} data-open={isOpen ? '' : undefined}>
      <h3>
        <button type="button" className={styles['head']} aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <Arrow size={14} />
          <bdi className={styles['name']}>{title}</bdi>
          {summary !== null && !isOpen && <span className={styles['summary']}>{summary}</span>}
        </button>
      </h3>
      <div id={id} className={styles['body']} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </li>
  )
}

export const FilterPanel = ({ datasetId, questions, status, filters, onChange }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  const { data: properties, error } = useQuery(metadataPropertiesQuery(datasetId))
  const seesSuggestions = useSeesSuggestions(datasetId)
  const hues = use(LabelHuesContext)
  const words = useFilterTexts({ datasetId, questions, includeMetadata: true })
  const [search, setSearch] = useState('')
  // When the panel opens, the first active filter is expanded. If no filter is active, the first metadata property is expanded,
  // because people filter most often by metadata.
  const [opened, setOpened] = useState<string | null | undefined>(() => {
    const [first] = activeFilters(filters)
    return first && idOf(first.place.kind, first.place.name)
  })
  const first = properties?.[0]
  const isOpen = opened === undefined ? first && idOf('metadata', first.name) : opened

  const editorProps = (place: FilterPlace) => ({
    condition: conditionAt(filters, place),
    onChange: (condition: Parameters<typeof withCondition>[2]) => onChange(withCondition(filters, place, condition)),
  })
  const summaryOf = (kind: FilterKind, name: string): string | null => {
    const active = activeFilters(filters).filter(({ place }) => place.kind === kind && place.name === name)
    return active.map(({ place, condition }) => words.conditionText(place, condition)).join(' · ') || null
  }

  const groups: readonly Group[] = [
    {
      kind: 'metadata',
      note: error ? <ProblemText error={error} /> : properties?.length === 0 ? t('filters.noMetadata') : null,
      items: (properties ?? []).map((property) => ({
        name: property.name,
        title: property.title,
        content: () => <MetadataValues property={property} {...editorProps({ kind: 'metadata', name: property.name })} />,
      })),
    },
    {
      kind: 'response',
      note: status === 'pending' ? t('filters.noResponses') : null,
      items: questions.flatMap(({ id: questionId, name, title, settings }) => {
        const filter = questionSlice(settings).valueFilter?.(settings)
        if (!filter) return []
        const about = { questionId, filter, status, label: title, dots: hues.get(questionId) }
        return [{ name, title, content: () => <AnswerValues {...about} {...editorProps({ kind: 'response', name })} /> }]
      }),
    },
    {
      kind: 'suggestion',
      note: seesSuggestions ? null : t('filters.suggestionsHidden'),
      items: (seesSuggestions ? questions : []).map((question) => ({
        name: question.name,
        title: question.title,
        content: () => <SuggestionValues datasetId={datasetId} question={question} filters={filters} onChange={onChange} />,
      })),
    },
  ]
  const wanted = search.trim().toLocaleLowerCase()
  const shown = groups.map((group) => ({
    ...group,
    items: group.items.filter(({ name, title }) => `${title}\n${name}`.toLocaleLowerCase().includes(wanted)),
  }))
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)

  return (
    <>
      {count >= searchFrom && (
        <div className={styles['top']}>
          <Input
            label={t('filters.search')}
            hideLabel
            placeholder={t('filters.search')}
            autoComplete="off"
            spellCheck={false}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      )}
      <div className={styles['groups']}>
        {shown.map(({ kind, note, items }) =>
          wanted !== '' && items.length === 0 ? null : (
            <section key={kind} className={styles['group']} aria-labelledby={`${id}-${kind}`}>
              <h2 id={`${id}-${kind}`} className={styles['groupTitle']}>
                {t(`filters.group.${kind}`)}
              </h2>
              {note !== null && <p className={styles['note']}>{note}</p>}
              {kind === 'metadata' && !properties && !error && <Skeleton height="2lh" />}
              <ul>
                {items.map(({ name, title, content }) => {
                  const itemId = idOf(kind, name)
                  return (
                    <FilterItem
                      key={name}
                      title={title}
                      summary={summaryOf(kind, name)}
                      isOpen={isOpen === itemId}
                      onToggle={() => setOpened(isOpen === itemId ? null : itemId)}
                    >
                      {content()}
                    </FilterItem>
                  )
                })}
              </ul>
            </section>
          ),
        )}
        {wanted !== '' && shown.every(({ items }) => items.length === 0) && (
          <p className={styles['note']}>{t('filters.nothingFound', { query: search.trim() })}</p>
        )}
      </div>
      <p className={styles['foot']}>{t('filters.counts')}</p>
    </>
  )
}
