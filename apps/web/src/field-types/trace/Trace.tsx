import type { TraceStep } from '@postil/contract/trace.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { latinKey } from '#lib/keys/latin-key.ts'
import { useMedia } from '#ui/page/use-media.ts'
import { useVirtualRows } from '#ui/page/use-virtual-rows.ts'
import { Json } from './Json.tsx'
import { Step } from './Step.tsx'
import styles from './Trace.module.css'
import { Row, type RowHandlers } from './TreeRow.tsx'
import { stepsAbove, type TreeRow, treeOf, unfoldedRows } from './tree.ts'

/** The additions to a trace for questions about its steps. Steps are identified by their positions. */
type StepQuestions = {
  /** Whether a question asks about the step. */
  readonly isAsked: (index: number) => boolean
  /** The labels that the step has. */
  readonly labelsOf: (index: number) => readonly string[]
  /** The labels to choose from for a step. */
  readonly panelOf: (index: number) => ReactNode
  /** Handles a key that the tree doesn't use. Returns whether a question used the key. */
  readonly onKey: (index: number, key: string) => boolean
  readonly onFocus: () => void
}

/** Moves the focus to the tree. */
export type TraceHandle = { readonly focus: () => void }

type Props = {
  readonly steps: readonly TraceStep[]
  readonly label: string
  readonly search: string | null
  /** The position of the shown step. Null for the first step in the tree. */
  readonly current: number | null
  readonly onCurrent: (index: number) => void
  readonly questions?: StepQuestions
  readonly ref?: Ref<TraceHandle>
}

const rowHeights = { fine: 30, coarse: 44 }
const noneFolded: ReadonlySet<number> = new Set()

/** Keeps track of which steps are folded. When another step is shown, all its ancestors are unfolded. */
const useFolding = (rows: readonly TreeRow[], shown: number | undefined) => {
  const [folded, setFolded] = useState(noneFolded)
  const parents = useMemo(() => new Map(rows.map(({ index, parent }) => [index, parent])), [rows])
  const hides = shown !== undefined && folded.size > 0 && stepsAbove(parents, shown).some((index) => folded.has(index))
  const open = hides ? new Set([...folded].filter((index) => !stepsAbove(parents, shown).includes(index))) : folded
  if (hides) setFolded(open)
  const fold = (index: number, isFolded: boolean): void => {
    const next = new Set(open)
    if (isFolded) next.add(index)
    else next.delete(index)
    setFolded(next)
  }
  return { folded: open, fold, parents }
}

/** The steps of a trace as a tree, next to the shown step. Only the visible rows of the tree are in the document. */
export const Trace = ({ steps, label, search, current, onCurrent, questions, ref }: Props) => {
  const { t } = useTranslation('field-types/trace')
  const id = useId()
  const tree = useRef<HTMLDivElement>(null)
  const detail = useRef<HTMLDivElement>(null)
  const rowHeight = useMedia('(pointer: coarse)') ? rowHeights.coarse : rowHeights.fine
  const rows = useMemo(() => treeOf(steps), [steps])
  const shownIndex = current ?? rows[0]?.index
  const { folded, fold, parents } = useFolding(rows, shownIndex)
  const visible = useMemo(() => unfoldedRows(rows, folded), [rows, folded])
  const at = visible.findIndex(({ index }) => index === shownIndex)
  const shown = visible[at]
  const { first, last, height } = useVirtualRows(tree, visible.length, { rowHeight, headHeight: 0 })

  useImperativeHandle(ref, () => ({ focus: () => tree.current?.focus({ preventScroll: true }) }), [])

  const isFirst = useRef(true)
  useEffect(() => {
    const box = tree.current
    if (box === null || at < 0) return
    const top = at * rowHeight
    if (top < box.scrollTop) box.scrollTop = top
    else if (box.clientHeight > 0 && top + rowHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top + rowHeight - box.clientHeight
    if (!isFirst.current) detail.current?.scrollIntoView({ block: 'nearest' })
    isFirst.current = false
  }, [at, rowHeight])

  const moveTo = (row: TreeRow | undefined): boolean => {
    if (row !== undefined) onCurrent(row.index)
    return true
  }
  const toRight = ({ index, hasChildren }: TreeRow): boolean => {
    if (folded.has(index)) fold(index, false)
    else if (hasChildren) return moveTo(visible[at + 1])
    return true
  }
  const toLeft = ({ index, hasChildren, parent }: TreeRow): boolean => {
    if (hasChildren && !folded.has(index)) fold(index, true)
    else if (parent !== null) onCurrent(parent)
    return true
  }
  const press = (key: string): boolean => {
    if (shown === undefined) return false
    if (key === 'ArrowDown' || key.toLowerCase() === 'j') return moveTo(visible[at + 1])
    if (key === 'ArrowUp' || key.toLowerCase() === 'k') return moveTo(visible[at - 1])
    if (key === 'Home') return moveTo(visible[0])
    if (key === 'End') return moveTo(visible.at(-1))
    if (key === 'ArrowRight') return toRight(shown)
    if (key === 'ArrowLeft') return toLeft(shown)
    return questions?.onKey(shown.index, key) ?? false
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { ctrlKey, metaKey, altKey } = event
    if (isComposing(event.nativeEvent) || ctrlKey || metaKey || altKey || !press(latinKey(event.nativeEvent))) return
    event.preventDefault()
    event.stopPropagation()
  }

  const latest = useRef({ fold, onCurrent })
  useEffect(() => {
    latest.current = { fold, onCurrent }
  })
  const [on] = useState(
    (): RowHandlers => ({
      show: (index) => latest.current.onCurrent(index),
      fold: (index, isFolded) => latest.current.fold(index, isFolded),
    }),
  )

  if (shown === undefined) return <p className={styles['none']}>{t('noSteps')}</p>
  const inView = visible.slice(first, last)
  // The shown row stays in the document, because the focus of assistive technology is on it.
  const rendered = at >= first && at < last ? inView : [...inView, shown]
  const rowOf = new Map(rendered.map((row) => [row.index, row === shown ? at : first + inView.indexOf(row)]))
  const errors = steps.filter(({ error }) => error !== undefined).length
  return (
    <div className={styles['trace']} data-wide="">
      <div className={styles['panes']}>
        <div className={styles['overview']}>
          <p className={styles['count']}>
            {[
              t('steps', { count: steps.length, formatted: formatCount(steps.length) }),
              ...(errors > 0 ? [t('errors', { count: errors, formatted: formatCount(errors) })] : []),
            ].join(' · ')}
          </p>
          <div
            ref={tree}
            role="tree"
            className={styles['tree']}
            aria-label={t('tree', { title: label })}
            aria-activedescendant={`${id}-${shown.index}`}
            tabIndex={0}
            onKeyDown={onKeyDown}
            onFocus={questions?.onFocus}
          >
            <div role="none" className={styles['rows']} style={{ height }}>
              {rendered.map((row) => (
                <Row
                  key={row.index}
                  id={`${id}-${row.index}`}
                  row={row}
                  top={(rowOf.get(row.index) ?? 0) * rowHeight}
                  height={rowHeight}
                  isShown={row === shown}
                  isFolded={folded.has(row.index)}
                  isAsked={questions?.isAsked(row.index) ?? false}
                  labels={questions?.labelsOf(row.index).join(', ') ?? ''}
                  on={on}
                />
              ))}
            </div>
          </div>
        </div>
        <div className={styles['detail']}>
          <div ref={detail} className={styles['top']} />
          <Step key={shown.index} id={`${id}-step`} step={shown.step} search={search}>
            {questions?.panelOf(shown.index)}
          </Step>
          {parents.get(shown.index) === null && shown.step.parent !== undefined && (
            <p className={styles['none']}>{t('noParent')}</p>
          )}
        </div>
      </div>
    </div>
  )
}

/** A value that isn't a trace, as JSON. */
export const NoTrace = ({ value, search }: { readonly value: JsonValue; readonly search: string | null }) => {
  const { t } = useTranslation('field-types/trace')
  return (
    <>
      <p className={styles['none']}>{t('noTrace')}</p>
      <Json value={value} search={search} isOpen />
    </>
  )
}
