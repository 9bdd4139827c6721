import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import { useMemo } from 'react'
import { directionOf } from '#lib/text/direction.ts'
import { offsetsOf } from '#lib/text/offsets.ts'
import type { ValueProps } from '../define.ts'
import { Differing } from '../shared/Differing.tsx'
import { labelColourProperties } from '../shared/labels/label-colours.ts'
import { excerptOf } from './excerpt.ts'
import { sameSpan } from './model.ts'
import { useSpanHues } from './use-span-hues.ts'
import styles from './Value.module.css'
import { SpanValue } from './Value.tsx'

/** The spans of an answer, marked in the text of their field. Shows only the parts of a long text that have spans. */
export const SpanValueInContext = (props: ValueProps<'span'>) => {
  const { question, value, fields, other } = props
  const { field, options } = question.settings
  const hues = useSpanHues(question)
  const raw = Object.hasOwn(fields, field) ? fields[field] : undefined
  const text = useMemo(() => (raw === undefined ? '' : (spanTextOf(raw)?.text ?? '')), [raw])
  const parts = useMemo(() => {
    const offsets = offsetsOf(text)
    const inUnits = (spans: ValueProps<'span'>['value']) =>
      spans.map((span) => ({ ...span, start: offsets.toUnit(span.start), end: offsets.toUnit(span.end) }))
    const others = inUnits(other ?? [])
    return excerptOf(text, inUnits(value), others).map((part) => ({
      ...part,
      isDifferent:
        part.kind === 'text' &&
        other !== undefined &&
        part.spans.some((span) => !others.some((otherSpan) => sameSpan(span, otherSpan))),
    }))
  }, [text, value, other])
  if (value.length === 0) return <SpanValue {...props} />
  const nameOf = (label: string): string => options.find((option) => option.value === label)?.text || label
  return (
    <p className={styles['context']} dir={directionOf(text)}>
      {parts.map((part, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity
        if (part.kind === 'gap') return <span key={index}>&#32;…&#32;</span>
        const [first] = part.spans
        const ended = part.spans.filter((span) => span.end === part.end)
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity
        if (first === undefined) return <span key={index}>{part.text}</span>
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity
          <span key={index} className={styles['marked']} style={labelColourProperties(hues.get(first.label) ?? 0)}>
            <Differing isDifferent={part.isDifferent}>{part.text}</Differing>
            {ended.length > 0 && <bdi className={styles['markLabel']}>{ended.map(({ label }) => nameOf(label)).join(', ')}</bdi>}
          </span>
        )
      })}
    </p>
  )
}
