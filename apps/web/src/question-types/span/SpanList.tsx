import type { Span } from '@postil/contract/answer-value.ts'
import type { KeyboardEvent } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '#i18n/format.ts'
import { ChevronDownIcon, ChevronRightIcon } from '#ui/icons.tsx'
import { labelColourProperties } from '../shared/label-colours.ts'
import { rovingTarget } from '../shared/roving.ts'
import { SuggestionMark } from '../shared/SuggestionMark.tsx'
import { sameSpan } from './model.ts'
import styles from './SpanList.module.css'
import type { Spans } from './use-spans.ts'

type Props = {
  readonly text: string
  readonly spans: Spans
  readonly nameOf: (label: string) => string
  readonly hueOf: (label: string) => number
  readonly current: Span | null
  readonly onShow: (span: Span) => void
  readonly onRemove: (span: Span) => void
}

const keyOf = ({ label, start, end }: Span): string => `${start} ${end} ${label}`

/** Every span as a line of a list box, folded away until it is asked for. */
export const SpanList = ({ text, spans, nameOf, hueOf, current, onShow, onRemove }: Props) => {
  const { t } = useTranslation('question-types/span')
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const wanted = useRef<number | null>(null)
  const all = spans.spans
  const at = Math.max(0, current ? all.findIndex((span) => sameSpan(span, current)) : 0)

  const focusLine = (index: number): void => {
    const span = all[index]
    if (!span) return
    onShow(span)
    list.current?.querySelectorAll<HTMLElement>('[role=option]')[index]?.focus({ preventScroll: false })
  }
  // The line that follows a removed one has the focus before the next key comes.
  useLayoutEffect(() => {
    if (wanted.current === null) return
    focusLine(wanted.current)
    wanted.current = null
  })

  const onKeyDown = (event: KeyboardEvent): void => {
    const target = rovingTarget(event.key, at, all.length)
    const span = all[at]
    if (target !== null) focusLine(target)
    else if ((event.key === 'Delete' || event.key === 'Backspace') && span) {
      onRemove(span)
      wanted.current = Math.min(at, all.length - 2)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon
  return (
    <div>
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
      {isOpen && all.length > 0 && (
        <div ref={list} role="listbox" aria-label={t('spans')} className={styles['list']} onKeyDown={onKeyDown}>
          {all.map((span, index) => {
            const score = spans.scoreOf(span)
            return (
              <div
                key={keyOf(span)}
                role="option"
                aria-selected={current !== null && sameSpan(span, current)}
                tabIndex={index === at ? 0 : -1}
                data-option=""
                className={styles['line']}
                onClick={() => onShow(span)}
                onKeyDown={(event) => {
                  if (event.key !== ' ') return
                  event.preventDefault()
                  onShow(span)
                }}
              >
                <bdi className={styles['label']} style={labelColourProperties(hueOf(span.label))}>
                  {nameOf(span.label)}
                </bdi>
                <bdi className={styles['text']}>{text.slice(span.start, span.end)}</bdi>
                {score !== undefined && <SuggestionMark score={score} />}
              </div>
            )
          })}
        </div>
      )}
    </div>
  )
}
