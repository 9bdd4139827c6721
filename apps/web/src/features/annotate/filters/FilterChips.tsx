import type { Question } from '@postil/contract/questions.ts'
import { useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { AnnotationQuery, QueryChange } from '#lib/url/grammar.ts'
import { CloseIcon } from '#ui/first-icons.tsx'
import styles from './FilterChips.module.css'
import type { FilterPlace } from './filters.ts'
import { activeFilters, filtersOf, withCondition } from './filters.ts'
import { useWords } from './use-words.ts'

type Props = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  readonly onQuery: (change: QueryChange) => void
}

/** Every filter that is on, in words, each with the button that takes it away. */
export const FilterChips = ({ datasetId, questions, query, onQuery }: Props) => {
  const { t } = useTranslation('features/annotate')
  const words = useWords({ datasetId, questions, withMetadata: query.metadata.length > 0 })
  const list = useRef<HTMLUListElement>(null)
  const active = activeFilters(query)

  const remove = (place: FilterPlace, at: number): void => {
    onQuery((now) => withCondition(filtersOf(now), place, null))
    // The pressed button goes away: the focus goes on to its neighbour.
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const next = buttons[at + 1] ?? buttons[at - 1]
    next?.focus()
  }

  return (
    <ul ref={list} className={styles['chips']} aria-label={t('filters.active')} data-keeps-focus="">
      {active.map(({ place, condition }, at) => {
        const title = words.titleOf(place)
        const kind = words.kindOf(place)
        const text = words.conditionText(place, condition)
        return (
          <li key={JSON.stringify([place, condition])} className={styles['chip']}>
            <span className={styles['text']} title={text}>
              {kind !== null && <span className={styles['kind']}>{kind} </span>}
              <bdi>{title}</bdi>: <bdi className={styles['value']}>{text}</bdi>
            </span>
            <button
              type="button"
              className={styles['remove']}
              aria-label={t('filters.remove', { filter: `${kind === null ? '' : `${kind} `}${title}: ${text}` })}
              onClick={() => remove(place, at)}
            >
              <CloseIcon size={14} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
