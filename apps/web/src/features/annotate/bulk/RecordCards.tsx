import type { KeyboardEvent, Ref } from 'react'
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { scrollerOf } from '#ui/page/scroller-of.ts'
import { defaultPageSize } from '../address/page.ts'
import type { ListItem } from '../queue/list-item.ts'
import type { CardParts } from './RecordCard.tsx'
import { RecordCard } from './RecordCard.tsx'
import styles from './RecordCards.module.css'

export type ListHandle = { readonly focus: () => void; readonly element: () => HTMLElement | null }

type Props = CardParts & {
  readonly ref: Ref<ListHandle>
  readonly items: readonly ListItem[]
  /** The 1-based position of the first record in the list. */
  readonly position: number
  readonly selected: ReadonlySet<string>
  readonly selectable: ReadonlySet<string>
  readonly similarityOf: (recordId: string) => number | null
  /** Whether the rest of the page failed to load. */
  readonly hasFailed: boolean
  readonly onRetry: () => void
  readonly onStep: (from: string, to: string) => void
}

/** How many records are rendered before it is known which ones are visible: a full page of the default size. */
const initiallyRendered = defaultPageSize

const steps: { readonly [key: string]: (at: number, last: number) => number } = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** Whether nothing has focus, or the focused element was removed with its record. */
const isFree = (): boolean =>
  document.activeElement === null || document.activeElement === document.body || document.activeElement.id === 'main'

/** The records of a page in a list. One checkbox is in the tab order; the arrow keys reach the others. */
export const RecordCards = ({ ref, items, position, selected, selectable, similarityOf, ...rest }: Props) => {
  const { hasFailed, onRetry, onStep, ...parts } = rest
  const { t } = useTranslation('features/annotate')
  const name = t('record.name')
  const scoreName = parts.similarity ? t(`similarity.score.${parts.similarity.order}`) : ''
  const element = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const reachable = items.filter((item) => selectable.has(item.record.id)).map((item) => item.record.id)
  const reached = current !== null && reachable.includes(current) ? current : (reachable[0] ?? null)

  const boxOf = (id: string | null): HTMLElement | null =>
    (id !== null && element.current?.querySelector<HTMLElement>(`[data-select-record="${CSS.escape(id)}"]`)) || null
  const focusBox = (id: string | null): void => {
    const box = boxOf(id)
    box?.focus({ preventScroll: true })
    box?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }
  useImperativeHandle(ref, () => ({ focus: () => focusBox(reached), element: () => element.current }))

  const pageKey = items[0]?.record.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top
  useLayoutEffect(() => {
    const list = element.current?.firstElementChild
    if (list) scrollerOf(list)?.scrollTo({ top: 0 })
  }, [pageKey])
  useLayoutEffect(() => {
    // The user didn't choose this record, so only its checkbox gets the focus. Scrolling the whole card into view would hide
    // what is above the list.
    if (isFree()) boxOf(reached)?.focus()
  })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const from = (event.target as HTMLElement).dataset['selectRecord']
    const step = steps[event.key]
    if (from === undefined || !step || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const to = reachable[step(reachable.indexOf(from), reachable.length - 1)]
    if (to === undefined) return
    focusBox(to)
    if (event.shiftKey) onStep(from, to)
  }

  return (
    <section ref={element} data-record-list="" className={styles['scroll']} aria-label={t('bulk.records')}>
      <ul
        className={styles['list']}
        data-compact={parts.isCompact ? '' : undefined}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const id = target.dataset['selectRecord']
          if (id !== undefined) setCurrent(id)
        }}
      >
        {items.map((item, index) => (
          <RecordCard
            {...parts}
            key={item.record.id}
            item={item}
            place={position + index}
            name={name}
            scoreName={scoreName}
            score={similarityOf(item.record.id)}
            isSelected={selected.has(item.record.id)}
            isSelectable={selectable.has(item.record.id)}
            isCurrent={reached === item.record.id}
            isFirst={index < initiallyRendered}
          />
        ))}
      </ul>
      {hasFailed && (
        <Notice kind="danger" action={<Button onClick={onRetry}>{t('end.again')}</Button>}>
          {t('end.failed')}
        </Notice>
      )}
    </section>
  )
}
