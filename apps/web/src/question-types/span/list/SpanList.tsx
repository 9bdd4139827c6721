import type { Span } from '@postil/contract/answer-value.ts'
import type { KeyboardEvent, ReactNode } from 'react'
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { ChevronRightIcon } from '#ui/marks/icons.tsx'
import { labelColourProperties } from '../../shared/labels/label-colours.ts'
import { rovingTarget } from '../../shared/options/roving.ts'
import { SuggestionMark } from '../../shared/suggestions/SuggestionMark.tsx'
import { SuggestionText } from '../../shared/suggestions/SuggestionText.tsx'
import { sameSpan, spanKey } from '../model.ts'
import type { Spans } from '../use-spans.ts'
import styles from './SpanList.module.css'

type Props = {
  /** Content at the end of the toggle's line. */
  readonly beside: ReactNode
  readonly text: string
  readonly spans: Spans
  readonly nameOf: (label: string) => string
  readonly hueOf: (label: string) => number
  readonly current: Span | null
  readonly onShow: (span: Span) => void
  readonly onRemove: (span: Span) => void
}

type LineProps = {
  readonly span: Span
  readonly text: string
  readonly name: string
  readonly hue: number
  readonly score: number | null | undefined
  readonly isCurrent: boolean
  /** Whether the line is the list's Tab stop. */
  readonly isStop: boolean
  readonly onShow: (span: Span) => void
}

/** Rendered again only when its own props change, because there may be thousands of lines. */
const SpanLine = memo(
  ({ span, text, name, hue, score, isCurrent, isStop, onShow }: LineProps) => (
    <div
      role="option"
      aria-selected={isCurrent}
      tabIndex={isStop ? 0 : -1}
      data-option=""
      className={styles['line']}
      onClick={() => onShow(span)}
      onKeyDown={(event) => {
        if (event.key !== ' ') return
        event.preventDefault()
        onShow(span)
      }}
    >
      <bdi className={styles['label']} style={labelColourProperties(hue)}>
        {name}
      </bdi>
      <bdi className={styles['text']}>{text}</bdi>
      {score !== undefined && (
        <>
          <SuggestionMark score={score} />
          <SuggestionText score={score} />
        </>
      )}
    </div>
  ),
  (before, after) =>
    sameSpan(before.span, after.span) &&
    before.text === after.text &&
    before.name === after.name &&
    before.hue === after.hue &&
    before.score === after.score &&
    before.isCurrent === after.isCurrent &&
    before.isStop === after.isStop &&
    before.onShow === after.onShow,
)

/** All spans as lines of a list box, collapsed by default. */
export const SpanList = ({ beside, text, spans, nameOf, hueOf, current, onShow, onRemove }: Props) => {
  const { t } = useTranslation('question-types/span')
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const nextIndex = useRef<number | null>(null)
  const all = spans.spans
  const latest = useRef(onShow)
  useEffect(() => {
    latest.current = onShow
  })
  const show = useCallback((span: Span): void => latest.current(span), [])
  const at = Math.max(0, current ? all.findIndex((span) => sameSpan(span, current)) : 0)

  const focusLine = (index: number): void => {
    const span = all[index]
    if (!span) return
    onShow(span)
    const line = list.current?.children[index]
    if (line instanceof HTMLElement) line.focus({ preventScroll: false })
  }
  // When the user removes a line, the next line must receive the focus before the next key press.
  useLayoutEffect(() => {
    if (nextIndex.current === null) return
    focusLine(nextIndex.current)
    nextIndex.current = null
  })

  const onKeyDown = (event: KeyboardEvent): void => {
    const target = rovingTarget(event.key, at, all.length)
    const span = all[at]
    if (target !== null) focusLine(target)
    else if ((event.key === 'Delete' || event.key === 'Backspace') && span) {
      onRemove(span)
      nextIndex.current = Math.min(at, all.length - 2)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon
  return (
    <div>
      <div className={styles['head']}>
        <button
          type="button"
          className={styles['toggle']}
          aria-expanded={isOpen}
          disabled={all.length === 0}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={14} />
          {t('count', { count: all.length, formatted: formatCount(all.length) })}
        </button>
        {beside}
      </div>
      {isOpen && all.length > 0 && (
        <div ref={list} role="listbox" aria-label={t('spans')} className={styles['list']} onKeyDown={onKeyDown}>
          {all.map((span, index) => (
            <SpanLine
              key={spanKey(span)}
              span={span}
              text={text.slice(span.start, span.end)}
              name={nameOf(span.label)}
              hue={hueOf(span.label)}
              score={spans.scoreOf(span)}
              isCurrent={current !== null && sameSpan(span, current)}
              isStop={index === at}
              onShow={show}
            />
          ))}
        </div>
      )}
    </div>
  )
}
