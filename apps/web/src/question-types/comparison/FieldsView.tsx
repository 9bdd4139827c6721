import { type ReactNode, useId, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Kbd } from '#ui/marks/Kbd.tsx'
import type { ComparedField } from '../define.ts'
import { ComparedText } from '../shared/ComparedText.tsx'
import styles from './FieldsView.module.css'
import { toggleDifferences, useShowsDifferences } from './shows-differences.ts'

type Props = { readonly first: ComparedField; readonly second: ComparedField }

/** Scrolls a pane to the same relative position as the other pane. */
const follow = (from: HTMLElement, to: HTMLElement | null): void => {
  const range = from.scrollHeight - from.clientHeight
  if (to && range > 0) to.scrollTop = (from.scrollTop / range) * (to.scrollHeight - to.clientHeight)
}

/** Two fields next to each other, or one above the other in narrow windows. The letters A and B replace the fields' titles. */
export const ComparedFields = ({ first, second }: Props): ReactNode => {
  const { t } = useTranslation('question-types/comparison')
  const id = useId()
  const showsDifferences = useShowsDifferences()
  const panes = { first: useRef<HTMLDivElement>(null), second: useRef<HTMLDivElement>(null) }
  /**
   * The pane that the person scrolls. The other pane follows it. Scroll events of the other pane are ignored, because they come
   * from following.
   */
  const leading = useRef<'first' | 'second'>('first')
  const canDiffer = first.text !== '' && second.text !== ''
  const pane = (side: 'first' | 'second', shown: ComparedField, other: ComparedField) => {
    const lead = () => {
      leading.current = side
    }
    return (
      <div key={side} className={styles['pane']}>
        <h2 id={`${id}-${side}`} className={styles['side']}>
          {t(`side.${side}`)}
        </h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs, and a page would have too many landmarks */}
        <div
          ref={panes[side]}
          className={styles['content']}
          data-any-length=""
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
          tabIndex={0}
          role="group"
          aria-labelledby={`${id}-${side}`}
          onPointerEnter={lead}
          onFocus={lead}
          onScroll={({ currentTarget }) => {
            if (leading.current === side) follow(currentTarget, panes[side === 'first' ? 'second' : 'first'].current)
          }}
        >
          {showsDifferences && canDiffer ? <ComparedText text={shown.text} other={other.text} /> : shown.content}
        </div>
      </div>
    )
  }
  return (
    <div className={styles['compared']}>
      <div className={styles['panes']}>
        {pane('first', first, second)}
        {pane('second', second, first)}
      </div>
      {canDiffer && (
        <Button look="quiet" aria-pressed={showsDifferences} onClick={toggleDifferences}>
          {showsDifferences ? t('hideDifferences') : t('showDifferences')} <Kbd>D</Kbd>
        </Button>
      )}
    </div>
  )
}
