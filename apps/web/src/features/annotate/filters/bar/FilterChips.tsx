import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { FocusEvent } from 'react'
import { useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { QueryChange } from '#lib/url/query-change.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { ChevronUpIcon } from '#ui/marks/icons.tsx'
import type { FilterPlace } from '../filters.ts'
import { activeFilters, filtersOf, withCondition } from '../filters.ts'
import { useFilterTexts } from '../use-filter-texts.ts'
import styles from './FilterChips.module.css'
import { isBelowFirst, useCountBelow } from './use-count-below.ts'

type Props = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  readonly onQuery: (change: QueryChange) => void
}

/**
 * Chips for all active filters, each with a button to remove it. They take up one line, so that the record doesn't move. A
 * button shows how many chips don't fit, and reveals them.
 */
export const FilterChips = ({ datasetId, questions, query, onQuery }: Props) => {
  const { t } = useTranslation('features/annotate')
  const words = useFilterTexts({ datasetId, questions, includeMetadata: query.metadata.length > 0 })
  const list = useRef<HTMLUListElement>(null)
  const [isOpen, setOpen] = useState(false)
  const below = useCountBelow(list)
  const active = activeFilters(query)

  const remove = (place: FilterPlace, at: number): void => {
    onQuery((now) => withCondition(filtersOf(now), place, null))
    // The pressed button disappears, so the focus moves to its neighbor.
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const next = buttons[at + 1] ?? buttons[at - 1]
    next?.focus()
  }
  /** Expands the list when keyboard focus reaches a hidden chip. */
  const onFocus = ({ target }: FocusEvent): void => {
    const chip = target.closest('li')
    if (chip && isBelowFirst(chip) && target.matches(':focus-visible')) setOpen(true)
  }

  return (
    <div className={styles['chips']} data-open={isOpen ? '' : undefined} data-keeps-focus="">
      <ul ref={list} className={styles['list']} aria-label={t('filters.active')} onFocus={onFocus}>
        {active.map(({ place, condition }, at) => {
          const title = words.titleOf(place)
          const kind = words.kindOf(place)
          const text = words.conditionText(place, condition)
          return (
            <li key={JSON.stringify([place, condition])} className={styles['chip']}>
              <span className={styles['text']} title={`${title}${kind} ${text}`}>
                <bdi>{title}</bdi>
                <span className={styles['kind']}>{kind}</span> <bdi className={styles['value']}>{text}</bdi>
              </span>
              <button
                type="button"
                className={styles['remove']}
                aria-label={t('filters.remove', { filter: `${title}${kind} ${text}` })}
                onClick={() => remove(place, at)}
              >
                <CloseIcon size={14} />
              </button>
            </li>
          )
        })}
      </ul>
      {(isOpen || below > 0) && (
        <Button
          look="quiet"
          className={styles['more']}
          aria-expanded={isOpen}
          aria-label={isOpen ? t('filters.oneLine') : t('filters.moreActive', { count: below, formatted: formatCount(below) })}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronUpIcon size={14} /> : `+${formatCount(below)}`}
        </Button>
      )}
    </div>
  )
}
