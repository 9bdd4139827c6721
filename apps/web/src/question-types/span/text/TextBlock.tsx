import type { CSSProperties } from 'react'
import { memo, useLayoutEffect, useRef } from 'react'
import { directionOfPart } from '#lib/text/direction.ts'
import { useNear } from '#ui/page/use-near.ts'
import { labelColourProperties, labelColours } from '../../shared/labels/label-colours.ts'
import { SuggestionMark } from '../../shared/suggestions/SuggestionMark.tsx'
import { SuggestionText } from '../../shared/suggestions/SuggestionText.tsx'
import type { Placed } from '../model.ts'
import { rowCount, spanKey } from '../model.ts'
import type { Block, Segment } from './blocks.ts'
import { segmentsOf } from './blocks.ts'
import styles from './SpanText.module.css'

/** A span as it is rendered. Offsets are UTF-16 units. */
export type SpanStyle = Placed & {
  readonly name: string
  readonly hue: number
  readonly isOnlySuggested: boolean
  readonly isCurrent: boolean
  /** The suggestion's score: null if it has none, undefined if the span wasn't suggested. */
  readonly score: number | null | undefined
}

type Props = {
  readonly text: string
  readonly block: Block
  readonly spans: readonly SpanStyle[]
  /** The block's assumed height until it is rendered, in lines. Null if the block is rendered even while it is out of view. */
  readonly lines: number | null
  /** The number of blocks after this one. This block's labels must be drawn above those blocks. */
  readonly above: number
  /** Called when the block's labels have been rendered. */
  readonly onRendered: (block: HTMLElement) => void
}

/**
 * Returns a segment's background. It has a tint for each span, stacked vertically with the outermost span at the top. Below the
 * text, it has a line for each span, in the span's row.
 */
const background = (spans: readonly SpanStyle[]): CSSProperties => {
  const layers = spans.map(({ hue, level, isOnlySuggested }) => {
    const { line } = labelColours(hue)
    const at = `0 calc(var(--row-start) + ${level} * var(--row))`
    return isOnlySuggested
      ? { image: `repeating-linear-gradient(90deg, ${line} 0 4px, transparent 4px 7px)`, position: at, size: '100% 2px' }
      : { image: `linear-gradient(${line}, ${line})`, position: at, size: '100% 2px' }
  })
  for (const [index, { hue, isOnlySuggested }] of spans.entries()) {
    const tint = labelColours(hue).wash
    const colour = isOnlySuggested ? `color-mix(in oklch, ${tint} 45%, transparent)` : tint
    layers.push({
      image: `linear-gradient(${colour}, ${colour})`,
      position: `0 calc(var(--row-start) * ${index / spans.length})`,
      size: `100% calc(var(--row-start) / ${spans.length})`,
    })
  }
  return {
    backgroundImage: layers.map((layer) => layer.image).join(', '),
    backgroundPosition: layers.map((layer) => layer.position).join(', '),
    backgroundSize: layers.map((layer) => layer.size).join(', '),
    paddingBlockEnd: 'calc(var(--rows) * var(--row))',
  }
}

const Chip = ({ span }: { readonly span: SpanStyle }) => (
  <span
    className={styles['chip']}
    data-chip={spanKey(span)}
    data-state={span.isOnlySuggested ? 'suggested' : 'on'}
    data-current={span.isCurrent ? '' : undefined}
    style={
      {
        ...labelColourProperties(span.hue),
        '--level': span.level,
      } as CSSProperties
    }
  >
    <bdi className={styles['chipText']}>{span.name}</bdi>
    {span.score !== undefined && (
      <>
        <SuggestionMark score={span.score} />
        <SuggestionText score={span.score} />
      </>
    )}
    <span className={styles['remove']} data-remove="" aria-hidden="true" />
  </span>
)

const Marked = ({ text, segment }: { readonly text: string; readonly segment: Segment<SpanStyle> }) => {
  const spans = segment.spans.toSorted((a, b) => a.level - b.level)
  return (
    <span className={styles['room']} style={{ '--rows': rowCount(spans) } as CSSProperties}>
      <span
        className={styles['marked']}
        data-at={segment.start}
        data-marked=""
        data-starts={spans[0]?.start === segment.start ? '' : undefined}
        data-ends={spans[0]?.end === segment.end ? '' : undefined}
        data-current={spans.some((span) => span.isCurrent) ? '' : undefined}
        style={background(spans)}
      >
        {text.slice(segment.start, segment.end)}
      </span>
    </span>
  )
}

const isSameSpanStyle = (a: SpanStyle, b: SpanStyle): boolean =>
  a.start === b.start &&
  a.end === b.end &&
  a.label === b.label &&
  a.hue === b.hue &&
  a.name === b.name &&
  a.score === b.score &&
  a.level === b.level &&
  a.isOnlySuggested === b.isOnlySuggested &&
  a.isCurrent === b.isCurrent

const arePropsEqual = (before: Props, after: Props): boolean =>
  before.text === after.text &&
  before.block === after.block &&
  before.lines === after.lines &&
  before.spans.length === after.spans.length &&
  before.spans.every((span, index) => isSameSpanStyle(span, after.spans[index]!))

/**
 * Blocks that start beyond this offset get their marks only when they come near the viewport, because rendering thousands of
 * marks at once would delay the record.
 */
const initiallyRendered = 12_000

/** One part of the text with its spans. Rendered again only if the part or its spans change. */
export const TextBlock = memo(({ text, block, spans, lines, above, onRendered }: Props) => {
  const root = useRef<HTMLDivElement>(null)
  const isNear = useNear(root, lines !== null && block.start > initiallyRendered)
  useLayoutEffect(() => {
    if (isNear && spans.length > 0 && root.current) onRendered(root.current)
  }, [isNear, spans, onRendered])
  const segments: readonly Segment<SpanStyle>[] = isNear ? segmentsOf(block, spans) : [{ ...block, spans: [] }]
  return (
    <div
      ref={root}
      data-block=""
      className={styles['block']}
      dir={directionOfPart(text.slice(block.start, block.end))}
      {...(lines !== null && { 'data-far': '' })}
      // A block that is rendered separately is a stacking context. Without a z-index, the next block would cover an enlarged
      // label of this one.
      style={lines === null ? undefined : { containIntrinsicBlockSize: `auto calc(${lines} * var(--line))`, zIndex: above }}
    >
      {/* In the document, labels come before the text. If a label were inside the text, browsers would treat it as a character. It could then change the direction of digits and how letters are joined, for example in Arabic. */}
      {isNear && spans.filter(({ start }) => start >= block.start).map((span) => <Chip key={spanKey(span)} span={span} />)}
      {segments.map((segment) =>
        segment.spans.length === 0 ? (
          <span key={segment.start} data-at={segment.start}>
            {text.slice(segment.start, segment.end)}
          </span>
        ) : (
          <Marked key={segment.start} text={text} segment={segment} />
        ),
      )}
    </div>
  )
}, arePropsEqual)
