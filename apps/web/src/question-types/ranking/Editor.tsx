import type { KeyboardEvent, MouseEvent } from 'react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import type { EditorProps } from '../define.ts'
import { useQuestionKeys } from '../question-keys.ts'
import { rovingTarget } from '../shared/options/roving.ts'
import { scoresBy } from '../shared/suggestions/scores.ts'
import { Card } from './Card.tsx'
import styles from './Editor.module.css'
import { capOfOption, optionOfKey } from './option-keys.ts'
import {
  createMoves,
  firstFreeRank,
  itemsAtRank,
  rankedOptions,
  rankItem,
  rankOf,
  toDisplayOrder,
  unrankedItems,
} from './ranking-order.ts'
import { useCardDrag } from './use-card-drag.ts'

/** With at most this many options, the ranks and the cards fit on one screen, one below the other. */
const shortLength = 6

export const RankingEditor = ({ question, answer, suggestion, onChange, labelledBy, describedBy }: EditorProps<'ranking'>) => {
  const { t } = useTranslation('question-types/ranking')
  const ranking = answer.value
  const options = rankedOptions(ranking, question.settings)
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
    // Dropping the card replaces its element, so the card would lose the focus. The question gets the focus instead.
    focusQuestion()
  })

  /** Gives an unranked option the next free rank. Picking it again removes the rank. */
  const pick = (value: string): void => {
    if (rankOf(ranking, value) === null) change(rankItem(ranking, options, value, firstFreeRank(ranking, options)), value)
    // Picking a suggested card for the first time accepts its suggested rank.
    else change(answer.suggested === null ? rankItem(ranking, options, value, null) : ranking, value)
  }

  useQuestionKeys((press) => {
    const index = optionOfKey(press, options.length)
    const picked = index === null ? undefined : options[index]?.value
    if (picked === undefined) return false
    pick(picked)
    if (isOnCard()) focusCard(picked)
    else setCurrent(picked)
    return true
  })

  /** Returns the ranking after a key press on the focused card, or null if the key doesn't rank it. */
  const rankedByKey = (key: string): { readonly ranking: typeof ranking } | null => {
    if (key === 'ArrowUp' || key === 'ArrowDown') return { ranking: move(ranking, options, stop, key === 'ArrowUp' ? -1 : 1) }
    if (key === 'Delete') return { ranking: rankItem(ranking, options, stop, null) }
    const above = key === '=' ? cards[cards.indexOf(stop) - 1] : undefined
    const rank = above === undefined ? null : rankOf(ranking, above)
    return rank === null ? null : { ranking: rankItem(ranking, options, stop, rank) }
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isOnCard()) return
    const ranked = rankedByKey(event.key)
    if (ranked) {
      change(ranked.ranking, stop)
      focusCard(stop)
    } else {
      const target = rovingTarget(event.key, cards.indexOf(stop), cards.length)
      const card = target === null ? undefined : cards[target]
      if (card === undefined) return
      focusCard(card)
    }
    event.preventDefault()
    event.stopPropagation()
  }

  /** Clicking cards one after the other ranks them in that order. Clicking a ranked card removes its rank. */
  const onClick = (value: string) => (event: MouseEvent) => {
    if (drag.endsDrag(event)) return
    setCurrent(value)
    pick(value)
    if (event.detail > 0) focusQuestion()
    else focusCard(value)
  }

  const card = (value: string) => (
    <Card
      key={value}
      value={value}
      name={nameOf(value)}
      keyCap={capOfOption(options.findIndex((option) => option.value === value))}
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
    <div className={styles['frame']}>
      {/* biome-ignore lint/a11y/useSemanticElements: the cards are not inputs */}
      <div
        ref={group}
        role="group"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        className={styles['ranking']}
        data-long={options.length > shortLength ? '' : undefined}
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
        <div
          className={styles['open']}
          data-rank=""
          data-empty={open.length === 0 && !drag.drag ? '' : undefined}
          data-over={drag.drag?.over === null ? '' : undefined}
        >
          {open.map((option) => card(option.value))}
        </div>
        <p id={hintId} hidden>
          {t('hint')}
        </p>
      </div>
    </div>
  )
}
