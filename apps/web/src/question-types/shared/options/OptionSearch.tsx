import type { KeyboardEvent, Ref } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { directionOf } from '#lib/text/direction.ts'
import type { Icon } from '#ui/marks/first-icons.tsx'
import styles from '../labels/LabelOptions.module.css'

type Props = {
  readonly ref: Ref<HTMLInputElement>
  readonly query: string
  readonly onQuery: (query: string) => void
  /** Picks the first result. */
  readonly onEnter: () => void
  /** Moves the focus down into the options, or back to the question. */
  readonly onLeave: (down: boolean) => void
  readonly folded: { readonly isExpanded: boolean; readonly count: number; readonly onToggle: () => void } | null
  readonly icon: Icon
}

/** A search box that finds labels by name, with a button that expands a collapsed list of labels. */
export const OptionSearch = ({ ref, query, onQuery, onEnter, onLeave, folded, icon: Mark }: Props) => {
  const { t } = useTranslation('question-types/shared')
  const onKeyDown = (event: KeyboardEvent): void => {
    const uses: { readonly [key: string]: () => void } = {
      Enter: onEnter,
      ArrowDown: () => onLeave(true),
      Escape: () => {
        onQuery('')
        onLeave(false)
      },
    }
    const use = uses[event.key]
    if (!use || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    use()
  }
  return (
    <div className={styles['search']}>
      <Mark className={styles['searchIcon']} />
      <input
        ref={ref}
        type="text"
        className={styles['searchInput']}
        aria-label={t('searchLabels')}
        placeholder={t('searchLabels')}
        autoComplete="off"
        spellCheck={false}
        dir={directionOf(query)}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {folded && (
        <button type="button" className={styles['fold']} aria-expanded={folded.isExpanded} onClick={folded.onToggle}>
          {folded.isExpanded ? t('less') : t('more', { count: folded.count })}
        </button>
      )}
    </div>
  )
}
