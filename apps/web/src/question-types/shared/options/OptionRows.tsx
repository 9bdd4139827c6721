import {
  type ClipboardEvent,
  type ComponentType,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { directionOf } from '#lib/text/direction.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { ChevronDownIcon, CloseIcon } from '#ui/marks/first-icons.tsx'
import { ChevronLeftIcon, ChevronRightIcon, ChevronUpIcon, GripIcon, PlusIcon } from '#ui/marks/icons.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './OptionRows.module.css'
import {
  isSameContent,
  labelsIn,
  movedRow,
  nestedRow,
  type OptionRow,
  type PastedLabel,
  withoutRow,
  withRows,
} from './option-rows.ts'
import { useRowDrag } from './use-row-drag.ts'

/** A control in a row. Must be the same component in each render, because unchanged rows are not rendered again. */
export type RowPart<R extends OptionRow> = ComponentType<{ readonly row: R; readonly onEdit: (change: Partial<R>) => void }>

type Props<R extends OptionRow> = {
  readonly title: string
  readonly isTitleHidden?: boolean
  readonly hint?: string
  readonly rows: readonly R[]
  readonly onRows: (rows: readonly R[]) => void
  /** The name of a row's input for screen readers. */
  readonly nameOf: (row: R, place: number) => string
  /** The reasons why rows are invalid, keyed by row. */
  readonly faults: ReadonlyMap<string, string>
  /** An error that doesn't belong to a single row. */
  readonly fault?: string | null
  /** Creates a row. Omitted if rows can't be added. */
  readonly newRow?: (text: string) => R
  readonly canRemove?: (row: R) => boolean
  readonly isDisabled?: (row: R) => boolean
  /** The maximum length of a row's text, in characters. */
  readonly maxLength?: number
  /** Whether labels can be moved below other labels, so that they form a tree. */
  readonly canNest?: boolean
  /** Controls after a row's text. */
  readonly Beside?: RowPart<R>
  /** Controls below a row's text. */
  readonly Below?: RowPart<R>
}

/**
 * What an arrow key does to a row. The up and down keys move the row in the list. The left and right keys change its level in the
 * tree (`isSideways`).
 */
const arrows: { readonly [key: string]: { readonly by: 1 | -1; readonly isSideways: boolean } } = {
  ArrowUp: { by: -1, isSideways: false },
  ArrowDown: { by: 1, isSideways: false },
  ArrowLeft: { by: -1, isSideways: true },
  ArrowRight: { by: 1, isSideways: true },
}

const oneEmpty: readonly PastedLabel[] = [{ text: '', depth: 0 }]

type Handlers<R extends OptionRow> = {
  readonly onText: (key: string, text: string) => void
  readonly onMove: (key: string, by: -1 | 1, focused: HTMLElement) => void
  readonly onNest: (key: string, by: -1 | 1, focused: HTMLElement) => void
  readonly onRemove: (key: string) => void
  readonly onKeyDown: (key: string, event: KeyboardEvent<HTMLInputElement>) => void
  readonly onPaste: (key: string, event: ClipboardEvent<HTMLInputElement>) => void
  readonly onDragStart: (key: string, event: PointerEvent) => void
  readonly onEdit: (key: string, change: Partial<R>) => void
}

/**
 * Edits labels, one per row:
 * - Enter adds a row.
 * - Pasted lines become rows. In a tree, they keep their indentation.
 * - Backspace in an empty row removes the row.
 * - Alt with an arrow key moves a row.
 * - In a tree, Alt+Shift with an arrow key changes a row's level.
 *
 * Only changed rows are rendered again, because a question can have hundreds of labels.
 */
export const OptionRows = <R extends OptionRow>({
  title,
  isTitleHidden,
  hint,
  rows,
  onRows,
  nameOf,
  faults,
  fault,
  newRow,
  canRemove,
  isDisabled,
  maxLength,
  canNest = false,
  Beside,
  Below,
}: Props<R>) => {
  const { t } = useTranslation('question-types/shared/options')
  const id = useId()
  const list = useRef<HTMLOListElement>(null)
  const focusText = (key: string | undefined): void => {
    requestAnimationFrame(() => {
      const row = [...(list.current?.children ?? [])].find((one) => one instanceof HTMLElement && one.dataset['key'] === key)
      row?.querySelector('input')?.focus()
    })
  }
  const set = (next: readonly R[], key: string): void => {
    if (next === rows) return
    onRows(next)
    const place = next.findIndex((row) => row.key === key)
    announce(t('options.movedTo', { label: next[place]?.text, place: place + 1, count: next.length }))
  }
  const drag = useRowDrag(list, (from, to) => {
    const key = rows[from]?.key
    if (key !== undefined) set(movedRow(rows, key, to - from), key)
  })
  const add = (labels: readonly PastedLabel[], after: string | null): void => {
    if (newRow === undefined) return
    const level = rows.find((row) => row.key === after)?.depth ?? 0
    const added = labels.map(({ text, depth }) =>
      level + depth === 0 ? newRow(text) : { ...newRow(text), depth: level + depth },
    )
    onRows(withRows(rows, after, added))
    focusText(added.at(-1)?.key)
  }
  const remove = (key: string): void => {
    const at = rows.findIndex((row) => row.key === key)
    onRows(withoutRow(rows, key))
    focusText((rows[at - 1] ?? rows[at + 1])?.key)
  }
  const isRemovable = (row: R): boolean => canRemove?.(row) ?? false

  const current: Handlers<R> = {
    onText: (key, text) => onRows(rows.map((row) => (row.key === key ? { ...row, text } : row))),
    onMove: (key, by, focused) => {
      set(movedRow(rows, key, by), key)
      // The focus stays on the control that moved the row, even if that control can't move the row any farther.
      requestAnimationFrame(() => focused.focus())
    },
    onNest: (key, by, focused) => {
      const next = nestedRow(rows, key, by)
      if (next === rows) return
      onRows(next)
      const row = next.find((one) => one.key === key)
      announce(t('options.level', { label: row?.text, level: (row?.depth ?? 0) + 1 }))
      requestAnimationFrame(() => focused.focus())
    },
    onRemove: remove,
    onKeyDown: (key, event) => {
      if (isComposing(event.nativeEvent)) return
      const row = rows.find((one) => one.key === key)
      const arrow = arrows[event.key]
      if (event.altKey && arrow !== undefined && arrow.isSideways === event.shiftKey && (canNest || !arrow.isSideways)) {
        event.preventDefault()
        if (arrow.isSideways) current.onNest(key, arrow.by, event.currentTarget)
        else current.onMove(key, arrow.by, event.currentTarget)
      } else if (event.key === 'Enter' && newRow !== undefined && !event.ctrlKey && !event.metaKey) {
        // Enter doesn't submit the form, and doesn't add a row after an empty row.
        event.preventDefault()
        if (event.currentTarget.value.trim() !== '') add(oneEmpty, key)
      } else if (event.key === 'Backspace' && event.currentTarget.value === '' && row && isRemovable(row)) {
        event.preventDefault()
        remove(key)
      }
    },
    onPaste: (key, event) => {
      const labels = labelsIn(event.clipboardData.getData('text'), canNest)
      if (newRow === undefined || labels.length < 2) return
      event.preventDefault()
      add(labels, key)
    },
    onDragStart: (key, event) =>
      drag.start(
        event,
        rows.findIndex((row) => row.key === key),
      ),
    onEdit: (key, change) => onRows(rows.map((row) => (row.key === key ? { ...row, ...change } : row))),
  }
  const handlers = useStable(current)

  return (
    <div className={styles['editor']}>
      <p id={id} className={isTitleHidden ? 'visually-hidden' : styles['title']}>
        {title}
      </p>
      {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
      <ol ref={list} className={styles['list']} aria-labelledby={id}>
        {rows.map((row, index) => (
          <MemoRow
            key={row.key}
            id={`${id}-${row.key}`}
            row={row}
            name={nameOf(row, index + 1)}
            fault={faults.get(row.key)}
            isFirst={index === 0}
            isLast={index === rows.length - 1}
            isDragged={drag.from === index}
            isDisabled={isDisabled?.(row) ?? false}
            isRemovable={isRemovable(row)}
            maxLength={maxLength}
            canNest={canNest}
            isNestable={nestedRow(rows, row.key, 1) !== rows}
            handlers={handlers}
            Beside={Beside}
            Below={Below}
          />
        ))}
      </ol>
      {fault && (
        <p id={`${id}-fault`} role="alert" className={styles['fault']}>
          {fault}
        </p>
      )}
      {newRow !== undefined && (
        <div>
          <Button
            icon={PlusIcon}
            data-fault={fault ? '' : undefined}
            aria-describedby={fault ? `${id}-fault` : undefined}
            onClick={() => add(oneEmpty, null)}
          >
            {t('options.add')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Returns handlers that keep their identity and call the current handlers. */
const useStable = <R extends OptionRow>(current: Handlers<R>): Handlers<R> => {
  const latest = useRef(current)
  useEffect(() => {
    latest.current = current
  })
  const stable = useRef<Handlers<R>>({
    onText: (...args) => latest.current.onText(...args),
    onMove: (...args) => latest.current.onMove(...args),
    onNest: (...args) => latest.current.onNest(...args),
    onRemove: (...args) => latest.current.onRemove(...args),
    onKeyDown: (...args) => latest.current.onKeyDown(...args),
    onPaste: (...args) => latest.current.onPaste(...args),
    onDragStart: (...args) => latest.current.onDragStart(...args),
    onEdit: (...args) => latest.current.onEdit(...args),
  })
  return stable.current
}

type RowProps<R extends OptionRow> = {
  readonly id: string
  readonly row: R
  readonly name: string
  readonly fault: string | undefined
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly isDragged: boolean
  readonly isDisabled: boolean
  readonly isRemovable: boolean
  readonly maxLength: number | undefined
  readonly canNest: boolean
  /** Whether the label can be moved one level deeper in the tree. */
  readonly isNestable: boolean
  readonly handlers: Handlers<R>
  readonly Beside: RowPart<R> | undefined
  readonly Below: RowPart<R> | undefined
}

const Row = <R extends OptionRow>({
  id,
  row,
  name,
  fault,
  isFirst,
  isLast,
  isDragged,
  isDisabled,
  isRemovable,
  maxLength,
  canNest,
  isNestable,
  handlers,
  Beside,
  Below,
}: RowProps<R>): ReactNode => {
  const { t } = useTranslation('question-types/shared/options')
  const { key, text, depth = 0 } = row
  const style: { readonly [name: `--${string}`]: number } = { '--depth': depth }
  const onEdit = (change: Partial<R>): void => handlers.onEdit(key, change)
  return (
    <li
      data-key={key}
      data-nested={canNest ? '' : undefined}
      className={classNames(styles['row'], isDragged && styles['dragged'])}
      style={style}
    >
      <span className={styles['grip']} aria-hidden="true" onPointerDown={(event) => handlers.onDragStart(key, event)}>
        <GripIcon />
      </span>
      <input
        className={styles['text']}
        dir={directionOf(text)}
        value={text}
        maxLength={maxLength}
        disabled={isDisabled}
        aria-label={name}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={fault && `${id}-fault`}
        autoComplete="off"
        onChange={({ target }) => handlers.onText(key, target.value)}
        onKeyDown={(event) => handlers.onKeyDown(key, event)}
        onPaste={(event) => handlers.onPaste(key, event)}
      />
      <span className={styles['controls']}>
        {Beside && <Beside row={row} onEdit={onEdit} />}
        {canNest && (
          <>
            <IconButton
              icon={ChevronLeftIcon}
              label={t('options.outdent', { label: text })}
              aria-disabled={depth === 0 || undefined}
              onClick={(event) => handlers.onNest(key, -1, event.currentTarget)}
            />
            <IconButton
              icon={ChevronRightIcon}
              label={t('options.indent', { label: text })}
              aria-disabled={!isNestable || undefined}
              onClick={(event) => handlers.onNest(key, 1, event.currentTarget)}
            />
          </>
        )}
        <IconButton
          icon={ChevronUpIcon}
          label={t('options.up', { label: text })}
          aria-disabled={isFirst || undefined}
          onClick={(event) => handlers.onMove(key, -1, event.currentTarget)}
        />
        <IconButton
          icon={ChevronDownIcon}
          label={t('options.down', { label: text })}
          aria-disabled={isLast || undefined}
          onClick={(event) => handlers.onMove(key, 1, event.currentTarget)}
        />
        {isRemovable && (
          <IconButton icon={CloseIcon} label={t('options.remove', { label: text })} onClick={() => handlers.onRemove(key)} />
        )}
      </span>
      {fault && (
        <p id={`${id}-fault`} role="alert" className={styles['rowFault']}>
          {fault}
        </p>
      )}
      {Below && <Below row={row} onEdit={onEdit} />}
    </li>
  )
}

const MemoRow = memo(
  Row,
  ({ row: before, ...rest }, { row: after, ...next }) => isSameContent(before, after) && isSameContent(rest, next),
) as typeof Row
