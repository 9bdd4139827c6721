import type { KeyboardEvent, MouseEvent } from 'react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import type { EditorProps } from '../define.ts'
import { useQuestionKeys } from '../question-keys.ts'
import { rovingTarget } from '../shared/options/roving.ts'
import { useDigits } from '../shared/options/use-digits.ts'
import { scoresBy } from '../shared/suggestions/scores.ts'
import { Card } from './Card.tsx'
import styles from './Editor.module.css'
import { createMoves, firstFreeRank, itemsAtRank, rankItem, rankOf, toDisplayOrder, unrankedItems } from './ranking-order.ts'
import { useCardDrag } from './use-card-drag.ts'

export const RankingEditor = ({ question, answer, suggestion, onChange, labelledBy, describedBy }: EditorProps<'ranking'>) => {
  const { t } = useTranslation('question-types/ranking')
  const { options } = question.settings
  const ranking = answer.value
  const [current, setCurrent] = useState<string | null>(null)
  const [move] = useState(createMoves)
  const group = useRef<HTMLDivElement>(null)
  const wanted = useRef<string | null>(null)
  const hintId = useId()
  const cards = toDisplayOrder(ranking, options)
  const open = unrankedItems(ranking, options)
  const stop = current !== null && cards.includes(current) ? current : (open[0]?.value ?? cards[0] ?? '')
  const nameOf = (value: string): string => options.find((option) => option.value === value)?.text || value
  const scores = scoresBy(suggestion, (item) => (item as { readonly value: string }).value)

  const change = (next: typeof ranking, value: string): void => {
    onChange({ value: next, suggested: null })
    const rank = rankOf(next, value)
    announce(
      rank === null ? t('unranked', { name: nameOf(value) }) : t('ranked', { name: nameOf(value), rank, count: options.length }),
    )
  }
  const focusCard = (value: string): void => {
    setCurrent(value)
    wanted.current = value
  }
  // A moved card is rendered again at its new place. It must have the focus before the next key press.
  useLayoutEffect(() => {
    if (wanted.current === null) return
    group.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(wanted.current)}"]`)?.focus({ preventScroll: true })
    wanted.current = null
  })
  const isOnCard = (): boolean =>
    document.activeElement?.closest('[data-card]') !== null && group.current?.contains(document.activeElement) === true

  const focusQuestion = (): void => group.current?.closest<HTMLElement>('[data-question]')?.focus({ preventScroll: true })

  const drag = useCardDrag((value, rank) => {
    setCurrent(value)
    change(rankItem(ranking, options, value, rank), value)
    // The card is rendered again where it was dropped, and the focus would be lost with the old element.
    focusQuestion()
  })

  const digits = useDigits((rank) => {
    const next = rankItem(ranking, options, stop, rank)
    change(next, stop)
    const following = unrankedItems(next, options)[0]?.value ?? toDisplayOrder(next, options)[0]
    if (following === undefined) return
    if (isOnCard()) focusCard(following)
    else setCurrent(following)
  })
  useQuestionKeys((press) => digits.press(press.key, press.ctrl || press.alt ? [] : options.map((_, index) => index + 1)))

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isOnCard()) return
    const { key } = event
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      change(move(ranking, options, stop, key === 'ArrowUp' ? -1 : 1), stop)
      focusCard(stop)
    } else if (key === 'Delete' || key === '0') {
      change(rankItem(ranking, options, stop, null), stop)
      focusCard(stop)
    } else {
      const target = rovingTarget(key, cards.indexOf(stop), cards.length)
      const card = target === null ? undefined : cards[target]
      if (card === undefined) return
      focusCard(card)
    }
    event.preventDefault()
    event.stopPropagation()
  }

  /** Clicking cards one after the other ranks them in that order. Another click removes the rank. */
  const onClick = (value: string) => (event: MouseEvent) => {
    if (drag.endsDrag(event)) return
    setCurrent(value)
    if (rankOf(ranking, value) === null) change(rankItem(ranking, options, value, firstFreeRank(ranking, options)), value)
    // The first click on a suggested card accepts its place.
    else change(answer.suggested === null ? rankItem(ranking, options, value, null) : ranking, value)
    if (event.detail > 0) focusQuestion()
    else focusCard(value)
  }

  const card = (value: string) => (
    <Card
      key={value}
      value={value}
      name={nameOf(value)}
      position={
        rankOf(ranking, value) === null ? t('noRank') : t('rankOf', { rank: rankOf(ranking, value), count: options.length })
      }
      isStop={value === stop}
      isDragged={drag.drag?.value === value}
      isOnlySuggested={answer.suggested !== null && rankOf(ranking, value) !== null}
      score={scores.get(value)}
      describedBy={hintId}
      onClick={onClick(value)}
      onFocus={() => setCurrent(value)}
      onPointerDown={drag.onPointerDown(value)}
    />
  )

  return (
    // biome-ignore lint/a11y/useSemanticElements: the cards are not inputs
    <div
      ref={group}
      role="group"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className={styles['ranking']}
      onKeyDown={onKeyDown}
    >
      <ol className={styles['slots']}>
        {options.map((option, index) => (
          <li
            key={option.value}
            className={styles['slot']}
            data-rank={index + 1}
            data-over={drag.drag?.over === index + 1 ? '' : undefined}
          >
            <span className={styles['rank']} aria-hidden="true">
              {index + 1}
            </span>
            <div className={styles['cards']}>{itemsAtRank(ranking, index + 1).map(card)}</div>
          </li>
        ))}
      </ol>
      {(open.length > 0 || drag.drag) && (
        <div className={styles['open']} data-rank="" data-over={drag.drag?.over === null ? '' : undefined}>
          {open.map((option) => card(option.value))}
        </div>
      )}
      <p id={hintId} hidden>
        {t('hint')}
      </p>
    </div>
  )
}
