import type { Condition, Terms } from '@postil/contract/annotation-query/grammar.ts'
import { useId, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { LabelDot } from '#question-types/shared/labels/LabelDot.tsx'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { CheckList, searchFrom } from '#ui/controls/CheckList.tsx'
import { shownTerms } from './shown-terms.ts'
import styles from './TermsFilter.module.css'

type Props = {
  readonly filter: Extract<ValueFilter, { by: 'terms' }>
  readonly label: string
  readonly terms: Terms | null
  /** Colors that were chosen for values. */
  readonly dots: ReadonlyMap<string, number> | undefined
  readonly onChange: (condition: Condition) => void
}

/** A checklist of the values to filter by. */
export const TermsFilter = ({ filter, label, terms, dots, onChange }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  const picked = terms?.values ?? []
  const all = terms?.all ?? false
  // The order doesn't change while the user picks values.
  const [first] = useState(picked)
  const [searchText, setSearchText] = useState('')
  const { options, more } = shownTerms(filter.options, first, searchText)

  const pick = (value: string): void => {
    const values = picked.includes(value) ? picked.filter((one) => one !== value) : [...picked, value]
    onChange({ kind: 'terms', values, all: all && filter.combined })
  }

  return (
    <div className={styles['terms']}>
      <CheckList
        label={label}
        options={options.map(({ value, text, count }) => ({
          value,
          text,
          mark: <LabelDot hue={dots?.get(value)} />,
          end: count === undefined ? undefined : formatCount(count),
        }))}
        picked={picked}
        onPick={pick}
        search={
          filter.options.length >= searchFrom
            ? {
                label: t('filters.searchValues', { title: label }),
                placeholder: t('filters.findValue'),
                searchText,
                onSearchText: setSearchText,
              }
            : null
        }
      >
        {filter.combined && (
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
      </CheckList>
      {options.length === 0 && (
        <p className={styles['note']}>
          {searchText === '' ? t('filters.noValues') : t('filters.noValueFound', { query: searchText })}
        </p>
      )}
      {more > 0 && <p className={styles['note']}>{t('filters.more', { count: more, formatted: formatCount(more) })}</p>}
    </div>
  )
}
