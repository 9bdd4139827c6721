import type { Span } from '@postil/contract/answer-value.ts'
import type { Turn } from '@postil/contract/question-types/span-text.ts'
import type {
  ClipboardEventHandler,
  FocusEventHandler,
  KeyboardEventHandler,
  PointerEventHandler,
  ReactNode,
  RefObject,
} from 'react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import '../../shared/labels/label-colours.css'
import { placeSpans } from '../model.ts'
import type { Block } from './blocks.ts'
import { spansByBlock } from './blocks.ts'
import styles from './SpanText.module.css'
import type { SpanStyle } from './TextBlock.tsx'
import { TextBlock } from './TextBlock.tsx'
import { Turns } from './Turns.tsx'
import { useChipPlaces } from './use-chip-places.ts'

export type Caret = { readonly left: number; readonly top: number; readonly height: number }

type Props = {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly text: string
  readonly blocks: readonly Block[]
  /** The messages of a conversation. Each message starts a new block. */
  readonly turns: readonly Turn[] | null
  readonly spans: readonly Span[]
  readonly nameOf: (label: string) => string
  readonly hueOf: (label: string) => number
  readonly isOnlySuggested: (span: Span) => boolean
  readonly isCurrent: (span: Span) => boolean
  readonly scoreOf: (span: Span) => number | null | undefined
  readonly caret: Caret | null
  /** The direction of the whole text. The messages of a conversation have their own direction. */
  readonly direction: 'ltr' | 'rtl' | undefined
  readonly label: string
  readonly describedBy: string
  readonly onKeyDown: KeyboardEventHandler
  readonly onFocus: FocusEventHandler
  readonly onBlur: FocusEventHandler
  readonly onPointerDown: PointerEventHandler
  readonly onCopy: ClipboardEventHandler
  /** Content that follows the pointer. */
  readonly beside: ReactNode
}

/** Draws the cursor and keeps it in view as it moves. */
const CaretLine = ({ caret: { left, top, height } }: { readonly caret: Caret }) => {
  const line = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the position changes
  useLayoutEffect(() => {
    line.current?.scrollIntoView({ block: 'nearest' })
  }, [left, top])
  return <span ref={line} className={styles['caret']} style={{ left, top, height }} />
}

const none: readonly SpanStyle[] = []
/** If a text has at least this many blocks, blocks out of view aren't rendered. */
const hasManyBlocks = 4
const lettersPerLine = 80

export const SpanText = ({
  ref,
  text,
  blocks,
  turns,
  spans,
  nameOf,
  hueOf,
  isOnlySuggested,
  isCurrent,
  scoreOf,
  caret,
  direction,
  label,
  describedBy,
  beside,
  ...handlers
}: Props) => {
  const letters = useRef<HTMLSpanElement>(null)
  const onRendered = useChipPlaces(ref, letters)
  const placed = useMemo(() => placeSpans(spans), [spans])
  const drawn = placed.map((span) => ({
    ...span,
    name: nameOf(span.label),
    hue: hueOf(span.label),
    isOnlySuggested: isOnlySuggested(span),
    isCurrent: isCurrent(span),
    score: scoreOf(span),
  }))
  const inBlock = spansByBlock(blocks, drawn)
  const blockAt = (index: number) => {
    const block = blocks[index]!
    return (
      <TextBlock
        key={block.start}
        text={text}
        block={block}
        spans={inBlock.get(index) ?? none}
        onRendered={onRendered}
        above={blocks.length - index}
        lines={blocks.length < hasManyBlocks ? null : Math.ceil((block.end - block.start) / lettersPerLine)}
      />
    )
  }
  return (
    <div className={styles['root']}>
      {/* biome-ignore lint/a11y/useSemanticElements: a textarea can't show marks; the text is selected, not edited */}
      <div
        ref={ref}
        className={turns ? `${styles['text']} ${styles['turns']}` : styles['text']}
        data-span-text=""
        role="textbox"
        aria-multiline="true"
        aria-readonly="true"
        aria-label={label}
        aria-describedby={describedBy}
        tabIndex={0}
        dir={direction}
        {...handlers}
      >
        {turns ? <Turns text={text} turns={turns} blocks={blocks} blockAt={blockAt} /> : blocks.map((_, index) => blockAt(index))}
        {caret && <CaretLine caret={caret} />}
      </div>
      <span ref={letters} className={styles['letters']} aria-hidden="true">
        abc abc
      </span>
      {beside}
    </div>
  )
}
