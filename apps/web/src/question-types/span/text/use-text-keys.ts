import type { Span } from '@postil/contract/answer-value.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import type { KeyboardEvent } from 'react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { paint } from '#lib/text/highlights.ts'
import { type Range, trimBlanks, wordAt } from '#lib/text/words.ts'
import { announce } from '#ui/feedback/announcer.ts'
import type { Shared } from '../../define.ts'
import { isLetter } from '../../shared/options/type-ahead.ts'
import { useDigits } from '../../shared/options/use-digits.ts'
import { useSuggestionText } from '../../shared/suggestions/SuggestionText.tsx'
import type { MenuAt } from '../list/SpanMenu.tsx'
import { sameSpan, spanAfter, spanBefore, spansAt } from '../model.ts'
import type { SpanSession } from '../session.ts'
import { changeSession } from '../session.ts'
import type { Cursor } from './cursor.ts'
import { isSelection, moveCursor, rangeOf } from './cursor.ts'
import type { Caret } from './SpanText.tsx'
import type { TextElement } from './text-element.ts'

type Options = {
  readonly text: string
  readonly element: () => TextElement | null
  readonly spans: readonly Span[]
  /** Returns a suggested span's score, or null if it has none. Returns undefined for other spans. */
  readonly scoreOf: (span: Span) => number | null | undefined
  readonly settings: SettingsOf<'span'>
  readonly session: SpanSession
  readonly shared: Shared
  /** Converts a pointer selection to the range to mark. Returns null if there is nothing to mark. */
  readonly pointed: (range: Range) => Range | null
  readonly mark: (range: Range, label: string) => void
  readonly remove: (span: Span) => void
  readonly relabel: (span: Span, label: string) => void
  readonly setMenu: (menu: MenuAt) => void
}

/** Maximum number of characters of a selection that are announced. */
const maxAnnouncedLength = 120

/** Keyboard control of the text: moves a cursor, selects text, steps through spans and sets labels. */
export const useTextKeys = ({
  text,
  element,
  spans,
  scoreOf,
  settings,
  session,
  shared,
  pointed,
  mark,
  remove,
  relabel,
  setMenu,
}: Options) => {
  const [cursor, setCursor] = useState<Cursor>({ anchor: 0, focus: 0 })
  const [hasFocus, setFocus] = useState(false)
  const [caret, setCaret] = useState<Caret | null>(null)
  const isKeyboardActive = useRef(false)
  const suggestionWords = useSuggestionText()
  const current = session.current && spans.some((span) => sameSpan(span, session.current!)) ? session.current : null

  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is looked up on each run; spans move the text's lines
  useLayoutEffect(() => {
    setCaret(hasFocus && isKeyboardActive.current ? (element()?.caretAt(cursor.focus) ?? null) : null)
  }, [cursor, hasFocus, spans])

  // The browser's own selection is as tall as the line and covers the labels below it, so the selection is painted here instead.
  useEffect(() => {
    const range = hasFocus && isKeyboardActive.current && isSelection(cursor) ? element()?.rangeOf(rangeOf(cursor)) : null
    return range ? paint('postil-selected', [range]) : undefined
  })

  const goTo = (next: Cursor): void => {
    isKeyboardActive.current = true
    setCursor(next)
    element()?.select(next.anchor, next.focus)
  }
  const goToSpan = (span: Span): void => {
    changeSession(shared, { current: span })
    isKeyboardActive.current = true
    setCursor({ anchor: span.start, focus: span.start })
    document.getSelection()?.removeAllRanges()
    element()?.reveal(span.start)
    const name = settings.options.find((option) => option.value === span.label)?.text || span.label
    const score = scoreOf(span)
    const more = score === undefined ? '' : `, ${suggestionWords(score)}`
    announce(`${name}: ${text.slice(span.start, span.end).slice(0, maxAnnouncedLength)}${more}`)
  }

  /**
   * Applies a label to the selection. Without a selection, applies it to the current span. If there is neither, the label waits
   * for the next selection.
   */
  const applyLabel = (label: string): void => {
    const found = element()?.selected() ?? null
    const own = isSelection(cursor) ? rangeOf(cursor) : null
    const isOwn = found === null || (found.start === own?.start && found.end === own.end)
    const selected = isOwn ? own && trimBlanks(text, own) : pointed(found)
    if (selected) {
      mark(selected, label)
      setCursor({ anchor: selected.end, focus: selected.end })
    } else if (current) relabel(current, label)
    else changeSession(shared, { label })
  }

  const digits = useDigits((number) => {
    const option = offeredOptions(settings)[number - 1]
    if (option) applyLabel(option.value)
  })

  /**
   * Returns the current span. If there is none, returns the span at the cursor. A span that ends exactly at the cursor counts,
   * too.
   */
  const spansAtCursor = (): Span | null =>
    current ?? spansAt(spans, cursor.focus)[0] ?? spansAt(spans, cursor.focus - 1)[0] ?? null

  const markHere = (): void => {
    const range = isSelection(cursor) ? trimBlanks(text, rangeOf(cursor)) : wordAt(text, cursor.focus)
    if (!range) return
    if (session.label === null) setMenu({ kind: 'selection', range })
    else {
      mark(range, session.label)
      setCursor({ anchor: range.end, focus: range.end })
    }
  }

  const leave = (event: KeyboardEvent): void => {
    if (isSelection(cursor) || current) {
      changeSession(shared, { current: null })
      goTo({ anchor: cursor.focus, focus: cursor.focus })
    } else {
      ;(event.currentTarget as HTMLElement).blur()
      document.querySelector<HTMLElement>('[data-question][data-active]')?.focus({ preventScroll: true })
    }
  }

  /** Tab moves through the spans. After the last span, it leaves the text. */
  const tab = (back: boolean): boolean => {
    const next = (back ? spanBefore : spanAfter)(spans, current, cursor.focus)
    if (next) goToSpan(next)
    return next !== null
  }

  const uses: { readonly [key: string]: (event: KeyboardEvent) => boolean } = {
    Tab: (event) => tab(event.shiftKey),
    Escape: (event) => {
      leave(event)
      return true
    },
    ' ': () => {
      markHere()
      return true
    },
    Delete: () => erase(),
    Backspace: () => erase(),
    ContextMenu: () => openMenu(),
    F2: () => openMenu(),
  }
  const erase = (): boolean => {
    const span = spansAtCursor()
    if (span) remove(span)
    return true
  }
  const openMenu = (): boolean => {
    const span = spansAtCursor()
    if (span) setMenu({ kind: 'span', span })
    return span !== null
  }

  const move = (event: KeyboardEvent): boolean => {
    const shown = element()
    if (!shown || event.metaKey) return false
    const press = { key: event.key, shift: event.shiftKey, far: event.ctrlKey || event.altKey }
    const next = moveCursor(text, cursor, press, shown.lines, shown.directionAt(cursor.focus) === 'rtl')
    if (!next) return false
    changeSession(shared, { current: null })
    goTo(next)
    const { start, end } = isSelection(next) ? rangeOf(next) : rangeOf({ anchor: cursor.focus, focus: next.focus })
    announce(text.slice(start, Math.min(end, start + maxAnnouncedLength)).trim())
    return true
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    const letter = plain && isLetter({ key: event.key, ctrl: false, alt: false })
    const isHandled =
      (plain &&
        digits.press(
          event.key,
          offeredOptions(settings).map((_, index) => index + 1),
        )) ||
      (plain && (uses[event.key]?.(event) ?? false)) ||
      (event.key === 'F10' && event.shiftKey && openMenu()) ||
      move(event) ||
      (letter && (isSelection(cursor) || spansAtCursor() !== null) && openWith(event.key))
    if (!isHandled) return
    event.preventDefault()
    event.stopPropagation()
  }
  /** Called when the user types a letter. Opens the menu and starts to search for labels by name. */
  const openWith = (letter: string): boolean => {
    const span = spansAtCursor()
    setMenu(
      isSelection(cursor) || !span
        ? { kind: 'selection', range: rangeOf(cursor), query: letter }
        : { kind: 'span', span, query: letter },
    )
    return true
  }

  return {
    caret,
    applyLabel,
    setCursor: (next: Cursor): void => {
      isKeyboardActive.current = false
      setCursor(next)
    },
    onKeyDown,
    onFocus: (): void => {
      isKeyboardActive.current = isKeyboardActive.current || document.activeElement?.matches(':focus-visible') === true
      setFocus(true)
    },
    onBlur: (): void => setFocus(false),
  }
}
