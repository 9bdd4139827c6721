import type { Span } from '@postil/contract/answer-value.ts'
import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import type { ClipboardEvent } from 'react'
import { Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { pressSettleTime } from '#lib/constants.ts'
import { directionOf } from '#lib/text/direction.ts'
import type { Range } from '#lib/text/words.ts'
import { trimBlanks, widenToCharacters, widenToWords } from '#lib/text/words.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import type { FieldEditorProps } from '../../define.ts'
import type { MenuAt } from '../list/SpanMenu.tsx'
import { sameSpan } from '../model.ts'
import { changeSession, readSession, useSpanSession } from '../session.ts'
import { useSpanHues } from '../use-span-hues.ts'
import { useSpans } from '../use-spans.ts'
import { blocksOf } from './blocks.ts'
import { PointerLabel } from './PointerLabel.tsx'
import { SpanText } from './SpanText.tsx'
import { isByCharacter, showUnitHintOnce, useSelectionUnit } from './selection-unit.ts'
import type { TextElement } from './text-element.ts'
import { textElement } from './text-element.ts'
import { clampToTurn } from './turns.ts'
import { useSearchMarks } from './use-search-marks.ts'
import { useTextKeys } from './use-text-keys.ts'
import { useTextPointer } from './use-text-pointer.ts'

const SpanMenu = lazyPart(() => import('../list/SpanMenu.tsx').then((module) => ({ default: module.SpanMenu })), {
  reportsFailure: true,
})

type OpenMenu = { readonly at: MenuAt; readonly key: number }

export const SpanFieldEditor = (props: FieldEditorProps<'span'>) => {
  const { value: raw, label, search, shared, question } = props
  const { t } = useTranslation('question-types/span')
  const { settings } = question
  const session = useSpanSession(shared)
  const { text, turns } = useMemo(() => spanTextOf(raw) ?? { text: '', turns: null }, [raw])
  const spans = useSpans({ ...props, text })
  const unit = useSelectionUnit()
  const blocks = useMemo(() => blocksOf(text, turns), [text, turns])
  const root = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const lists = useRef(0)
  const hintId = useId()
  const element = (): TextElement | null => (root.current ? textElement(root.current, text, blocks) : null)
  const nameOf = (value: string): string => settings.options.find((option) => option.value === value)?.text || value
  const hues = useSpanHues(question)
  const hueOf = (value: string): number => hues.get(value) ?? 0
  // Each menu has its own key. Otherwise, the browser's late report that the previous menu has closed would affect the menu of a
  // new selection.
  const open = (at: MenuAt): void => {
    lists.current += 1
    setMenu({ at, key: lists.current })
  }
  /**
   * The range of the selection for which the menu was opened. It is kept briefly after the menu closes. If the user closed the
   * menu by pressing a label in the form, the label applies to this range.
   */
  const asked = useRef<Range | null>(null)
  const close = ({ at, key }: OpenMenu): void => {
    if (key !== lists.current) return
    if (at.kind === 'selection') {
      asked.current = at.range
      setTimeout(() => {
        asked.current = null
      }, pressSettleTime)
    }
    setMenu(null)
    root.current?.focus({ preventScroll: true })
  }
  const setCurrent = (current: Span | null): void => changeSession(shared, { current })

  const mark = (selected: Range, value: string): void => {
    const range = clampToTurn(selected, turns)
    spans.add(range, value)
    // The next label that the user picks then applies to the next selection, not to this span.
    setCurrent(null)
    const selection = document.getSelection()
    if (selection !== null && selection.rangeCount > 0) selection.collapseToEnd()
    announce(t('marked', { label: nameOf(value), text: text.slice(range.start, range.end) }))
  }
  const remove = (span: Span): void => {
    spans.remove(span)
    setCurrent(null)
    announce(t('removed', { label: nameOf(span.label), text: text.slice(span.start, span.end) }))
  }
  const relabel = (span: Span, value: string): void => {
    setCurrent(spans.relabel(span, value))
    announce(t('marked', { label: nameOf(value), text: text.slice(span.start, span.end) }))
  }

  // The browser closes open menus when a pointer is released, so the menu that the press opens must open after that.
  const openByPointer = (next: MenuAt): void => void setTimeout(() => open(next))

  const withinTurnOf = (range: Range | null): Range | null => range && trimBlanks(text, clampToTurn(range, turns))
  const lastShift = useRef(false)
  const widen = (range: Range, shift: boolean): Range | null => {
    lastShift.current = shift
    return settings.allow_character_annotation && isByCharacter(unit, shift)
      ? withinTurnOf(trimBlanks(text, widenToCharacters(text, range)))
      : withinTurnOf(widenToWords(text, range))
  }
  const pointed = (range: Range) => widen(range, lastShift.current)
  const answering = { settings, session, shared, pointed, mark, remove, relabel }
  const keys = useTextKeys({ text, element, spans: spans.spans, scoreOf: spans.scoreOf, ...answering, setMenu: open })
  const pointer = useTextPointer({
    text,
    element,
    spans: spans.spans,
    widen,
    onSelect: (range) => {
      const wanted = readSession(shared).label
      if (wanted === null) return openByPointer({ kind: 'selection', range })
      mark(range, wanted)
      keys.setCursor({ anchor: range.end, focus: range.end })
    },
    onSpan: (span) => {
      setCurrent(span)
      openByPointer({ kind: 'span', span })
    },
    onRemove: remove,
    onLongDrag: () => {
      if (settings.allow_character_annotation) showUnitHintOnce(t('wholeWordsHint'))
    },
    onPlace: (unit) => {
      keys.setCursor({ anchor: unit, focus: unit })
      setCurrent(null)
    },
  })

  const { pickedLabel, spanToReveal, focusText } = session
  useEffect(() => {
    if (!pickedLabel) return
    changeSession(shared, { pickedLabel: null })
    const range = menu?.at.kind === 'selection' ? menu.at.range : asked.current
    if (range === null) return keys.applyLabel(pickedLabel)
    asked.current = null
    setMenu(null)
    mark(range, pickedLabel)
    keys.setCursor({ anchor: range.end, focus: range.end })
  })
  useEffect(() => {
    if (!focusText) return
    root.current?.focus()
    changeSession(shared, { focusText: false })
  })
  useEffect(() => {
    if (!spanToReveal) return
    element()?.reveal(spanToReveal.start)
    changeSession(shared, { spanToReveal: null })
  })
  useSearchMarks(root, { text, blocks, search })

  // Without this, the browser copies a line break for every label below the text.
  const onCopy = (event: ClipboardEvent): void => {
    const selected = element()?.selectedText() ?? null
    if (selected === null) return
    event.clipboardData.setData('text/plain', selected)
    event.preventDefault()
  }

  return (
    <>
      <SpanText
        ref={root}
        text={text}
        blocks={blocks}
        turns={turns}
        spans={spans.spans}
        nameOf={nameOf}
        hueOf={hueOf}
        isOnlySuggested={spans.isOnlySuggested}
        isCurrent={(span) => session.current !== null && sameSpan(span, session.current)}
        scoreOf={spans.scoreOf}
        caret={keys.caret}
        direction={turns ? undefined : directionOf(text)}
        label={label}
        describedBy={hintId}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
        onPointerDown={pointer.onPointerDown}
        onCopy={onCopy}
        beside={
          session.label !== null && (
            <PointerLabel
              key={session.label}
              text={root}
              name={nameOf(session.label)}
              hue={hueOf(session.label)}
              isAway={menu !== null}
            />
          )
        }
      />
      <p id={hintId} hidden>
        {t('textHint')}
      </p>
      {menu && (
        <Suspense>
          <SpanMenu
            key={menu.key}
            at={menu.at}
            anchor={() => element()?.rangeOf(menu.at.kind === 'span' ? menu.at.span : menu.at.range) ?? root.current}
            spans={spans}
            question={question}
            suggestion={props.suggestion}
            text={text}
            hueOf={hueOf}
            onMark={mark}
            onRelabel={relabel}
            onRemove={remove}
            onClose={() => close(menu)}
          />
        </Suspense>
      )}
    </>
  )
}
