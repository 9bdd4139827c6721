import type { KeyboardEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Condition, Terms } from '#lib/url/grammar.ts'
import { LabelDot } from '#question-types/shared/LabelDot.tsx'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { shownTerms } from './shown-terms.ts'
import styles from './TermsFilter.module.css'

type Props = {
  readonly filter: Extract<ValueFilter, { by: 'terms' }>
  readonly label: string
  readonly terms: Terms | null
  /** Hues that were chosen for values. */
  readonly dots: ReadonlyMap<string, number> | undefined
  readonly onChange: (condition: Condition) => void
}

/** From so many values on there is a search box. */
const searchFrom = 8

const boxesIn = (list: HTMLElement | null): readonly HTMLInputElement[] => [
  ...(list?.querySelectorAll<HTMLInputElement>('input') ?? []),
]

/** Some of a list of values: arrows move among them, space or enter picks. */
export const TermsFilter = ({ filter, label, terms, dots, onChange }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const picked = terms?.values ?? []
  const all = terms?.all ?? false
  // The order stays as it is while one picks.
  const [first] = useState(picked)
  const [words, setWords] = useState('')
  const [current, setCurrent] = useState<string | null>(null)
  const { options, more } = shownTerms(filter.options, first, words)
  const stop = options.some(({ value }) => value === current) ? current : (options[0]?.value ?? null)

  const pick = (value: string): void => {
    const values = picked.includes(value) ? picked.filter((one) => one !== value) : [...picked, value]
    onChange({ kind: 'terms', values, all: all && filter.together })
  }
  const onListKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const boxes = boxesIn(list.current)
    const at = boxes.indexOf(event.target as HTMLInputElement)
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: boxes.length - 1 }[event.key]
    if (event.key === 'Enter') boxes[at]?.click()
    else if (target === undefined) return
    else (target < 0 ? search.current : boxes[target])?.focus()
    event.preventDefault()
  }
  const onSearchKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    boxesIn(list.current)[0]?.focus()
  }

  return (
    <div className={styles['terms']}>
      {filter.options.length >= searchFrom && (
        <input
          ref={search}
          type="text"
          className={styles['search']}
          aria-label={t('filters.searchValues', { title: label })}
          placeholder={t('filters.findValue')}
          autoComplete="off"
          spellCheck={false}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={onSearchKeyDown}
        />
      )}
      {filter.together && (
        <fieldset className={styles['together']}>
          <legend className="visually-hidden">{t('filters.howMany', { title: label })}</legend>
          {([false, true] as const).map((wanted) => (
            <label key={String(wanted)} className={styles['choice']}>
              <input
                type="radio"
                name={`${id}-together`}
                checked={all === wanted}
                onChange={() => onChange({ kind: 'terms', values: picked, all: wanted })}
              />
              {wanted ? t('filters.allOf') : t('filters.anyOf')}
            </label>
          ))}
        </fieldset>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll in every browser */}
      <div ref={list} role="group" aria-label={label} className={styles['list']} onKeyDown={onListKeyDown}>
        {options.map(({ value, text, count }) => (
          <label key={value} className={styles['option']}>
            <input
              type="checkbox"
              className={styles['box']}
              checked={picked.includes(value)}
              tabIndex={value === stop ? 0 : -1}
              onFocus={() => setCurrent(value)}
              onChange={() => pick(value)}
            />
            <LabelDot hue={dots?.get(value)} />
            <bdi className={styles['text']}>{text}</bdi>
            {count !== undefined && <span className={styles['count']}>{formatCount(count)}</span>}
          </label>
        ))}
      </div>
      {options.length === 0 && (
        <p className={styles['note']}>{words === '' ? t('filters.noValues') : t('filters.noValueFound', { query: words })}</p>
      )}
      {more > 0 && <p className={styles['note']}>{t('filters.more', { count: more, formatted: formatCount(more) })}</p>}
    </div>
  )
}
