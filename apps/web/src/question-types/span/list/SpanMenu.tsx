import type { Span } from '@postil/contract/answer-value.ts'
import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import type { KeyboardEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { formatScore } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { directionOf } from '#lib/text/direction.ts'
import type { Range as Units } from '#lib/text/words.ts'
import { Button } from '#ui/controls/Button.tsx'
import { FloatingPanel } from '#ui/floating/FloatingPanel.tsx'
import type { Anchor } from '#ui/floating/use-floating.ts'
import { CheckIcon, SuggestionIcon, TrashIcon } from '#ui/marks/icons.tsx'
import type { QuestionOf, SuggestionOf } from '../../define.ts'
import { labelColourProperties } from '../../shared/labels/label-colours.ts'
import { numbered, shownOptions } from '../../shared/options/option-list.ts'
import { rovingTarget } from '../../shared/options/roving.ts'
import { useDigits } from '../../shared/options/use-digits.ts'
import type { Spans } from '../use-spans.ts'
import styles from './SpanMenu.module.css'

/**
 * The target of the menu: an existing span or a selection. For a selection, choosing a label creates a span. `query` is the
 * letter that the user typed to open the menu. The menu uses it to search for labels.
 */
export type MenuAt =
  | { readonly kind: 'span'; readonly span: Span; readonly query?: string }
  | { readonly kind: 'selection'; readonly range: Units; readonly query?: string }

type Props = {
  readonly at: MenuAt
  readonly anchor: () => Anchor
  readonly spans: Spans
  readonly question: QuestionOf<'span'>
  readonly suggestion: SuggestionOf<'span'> | null
  readonly text: string
  readonly hueOf: (label: string) => number
  readonly onMark: (range: Units, label: string) => void
  readonly onRelabel: (span: Span, label: string) => void
  readonly onRemove: (span: Span) => void
  readonly onClose: () => void
}

/** A menu of labels for one span. Users choose a label by its name or number. If spans may overlap, they can choose several. */
export const SpanMenu = ({
  at,
  anchor,
  spans,
  question,
  suggestion,
  text,
  hueOf,
  onMark,
  onRelabel,
  onRemove,
  onClose,
}: Props) => {
  const { t } = useTranslation('question-types/span')
  const { t: shared } = useTranslation('question-types/shared')
  const { settings } = question
  const [query, setQuery] = useState(at.query ?? '')
  const [highlighted, setHighlighted] = useState(0)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const range = at.kind === 'span' ? at.span : at.range
  const options = numbered(offeredOptions(settings))
  const shown = shownOptions(options, { visible: null, isExpanded: true, query, isPicked: () => false })
  const here = spans.spans.filter((span) => span.start === range.start && span.end === range.end)
  const isSet = (value: string): boolean => here.some((span) => span.label === value)
  const isMany = settings.allow_overlapping && at.kind === 'span'
  const score = at.kind === 'span' ? spans.scoreOf(at.span) : undefined
  const agent = suggestion?.agent ?? null

  const choose = (value: string): void => {
    if (!isMany) {
      if (at.kind === 'span') onRelabel(at.span, value)
      else onMark(at.range, value)
      onClose()
      return
    }
    const set = here.find((span) => span.label === value)
    if (set && spans.isOnlySuggested(set)) spans.accept(set)
    else if (set) onRemove(set)
    else onMark(range, value)
  }

  const hasChosen = useRef(false)
  const digits = useDigits((number) => {
    const option = options.find((one) => one.number === number)
    if (!option) return
    hasChosen.current = true
    choose(option.value)
  })
  /**
   * Whether the key was used to choose a label by its number, as in the form. A digit that may be the start of a label's name
   * isn't used for this.
   */
  const isChosenByDigit = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    const isName = query !== '' || options.some(({ text, value }) => (text || value).startsWith(key))
    const isPlain = !(ctrlKey || metaKey || altKey)
    hasChosen.current = false
    // If there is a label 12, the menu waits for another digit after a 1. A key that isn't a digit ends the wait and chooses
    // label 1. `hasChosen` is then true.
    return digits.press(key, isPlain && !isName ? options.map(({ number }) => number) : []) || hasChosen.current
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    const option = shown[highlighted]
    if (isChosenByDigit(event)) {
      // The key has been handled and isn't part of a label's name.
    } else if (event.key === 'Enter' && option) choose(option.value)
    else {
      const target =
        event.key === 'ArrowDown' || event.key === 'ArrowUp' ? rovingTarget(event.key, highlighted, shown.length) : null
      if (target === null) return
      setHighlighted(target)
      document.getElementById(`${listId}-${target}`)?.scrollIntoView({ block: 'nearest' })
    }
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <FloatingPanel
      label={t('labelFor', { text: text.slice(range.start, range.end).slice(0, 80) })}
      anchor={anchor}
      // On touch screens, focusing the input would open the keyboard over the labels.
      {...(matchMedia('(pointer: fine)').matches && { initialFocus: input })}
      onClose={onClose}
      className={styles['popup']}
    >
      {at.kind === 'span' && score !== undefined && (
        <p className={styles['origin']}>
          <SuggestionIcon size={12} />
          {[agent === null ? t('suggested') : t('suggestedBy', { agent }), score !== null && formatScore(score)]
            .filter(Boolean)
            .join(', ')}
        </p>
      )}
      <input
        ref={input}
        className={styles['input']}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={shown[highlighted] ? `${listId}-${highlighted}` : undefined}
        aria-label={t('findLabel')}
        placeholder={t('findLabel')}
        autoComplete="off"
        spellCheck={false}
        dir={directionOf(query)}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setHighlighted(0)
          // Scrolls back to the best match, which is at the top.
          list.current?.scrollTo({ top: 0 })
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={t('labels')}
        aria-multiselectable={isMany || undefined}
        className={styles['list']}
      >
        {shown.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={option.value}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={isSet(option.value)}
            data-highlighted={index === highlighted ? '' : undefined}
            className={styles['option']}
            onClick={() => choose(option.value)}
            onPointerMove={() => setHighlighted(index)}
          >
            <span className={styles['colour']} style={labelColourProperties(hueOf(option.value))} />
            <bdi className={styles['name']}>{option.text || option.value}</bdi>
            {isSet(option.value) && <CheckIcon size={14} />}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className={styles['none']}>{shared('noLabelFound', { query })}</p>}
      {at.kind === 'span' && (
        <div className={styles['actions']}>
          {spans.isOnlySuggested(at.span) && (
            <Button
              onClick={() => {
                spans.accept(at.span)
                onClose()
              }}
            >
              {t('accept')}
            </Button>
          )}
          <Button
            icon={TrashIcon}
            onClick={() => {
              onRemove(at.span)
              onClose()
            }}
          >
            {t('remove')}
          </Button>
        </div>
      )}
    </FloatingPanel>
  )
}
