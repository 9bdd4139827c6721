import type { KeyboardEvent, MouseEvent } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { SearchIcon } from '#ui/marks/icons.tsx'
import { useQuestionKeys } from '../../question-keys.ts'
import { OptionSearch } from '../options/OptionSearch.tsx'
import { searchFrom } from '../options/option-list.ts'
import { rovingTarget } from '../options/roving.ts'
import { isLetter } from '../options/type-ahead.ts'
import { useDigits } from '../options/use-digits.ts'
import styles from './LabelOptions.module.css'
import { focusQuestion, type LabelOptionsProps, optionElement, type PickedBy } from './label-options.ts'
import { TreeItem } from './TreeItem.tsx'
import { foundRows, initiallyOpen, openRows, parentIndex, type TreeRow, treeRows } from './tree-rows.ts'

/**
 * Labels as a tree. The left and right arrow keys fold and unfold branches. A search finds labels by their names and by the names
 * of the labels above them. Every label can be picked.
 */
export const TreeOptions = ({
  mode,
  options,
  all = options,
  isPicked,
  isOnlySuggested,
  scoreOf,
  onPick,
  labelledBy,
  describedBy,
  hueOf,
  dots,
  onKey,
}: LabelOptionsProps) => {
  const { t } = useTranslation('question-types/shared')
  const rows = useMemo(() => treeRows(options, all), [options, all])
  const [open, setOpen] = useState(() => initiallyOpen(rows))
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState<string | null>(null)
  /** The label that was just picked in the search. */
  const [pickedInSearch, setPickedInSearch] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const isSearch = query.trim() !== ''
  const shown = isSearch ? foundRows(rows, query) : openRows(rows, open, isPicked)
  const stop =
    shown.find(({ option }) => option.value === current) ?? shown.find(({ option }) => isPicked(option.value)) ?? shown[0]

  const pickAndAnnounce = ({ option: { value }, path }: TreeRow, by: PickedBy): void => {
    const wasPicked = isPicked(value) && !isOnlySuggested(value)
    announce(wasPicked ? t('takenOff', { option: path }) : t('picked', { option: path }))
    onPick(value, by)
  }

  const digits = useDigits((number) => {
    const row = shown.find(({ option }) => option.number === number)
    if (row) pickAndAnnounce(row, 'digit')
  })

  const select = (next: string): void => {
    setQuery(next)
    if (next.trim() === '') return
    const matches = foundRows(rows, next)
    const [first] = matches
    announce(first ? t('found', { count: matches.length, first: first.path }) : t('noLabelFound', { query: next }))
  }

  const focusRow = (index: number): void => {
    const row = shown[index]
    if (!row) return
    setCurrent(row.option.value)
    optionElement(list.current, row.option.value)?.focus()
  }

  const setFolded = ({ option }: TreeRow, isFolded: boolean): void => {
    const next = new Set(open)
    if (isFolded) next.delete(option.value)
    else next.add(option.value)
    setOpen(next)
  }

  useQuestionKeys((press) => {
    if (onKey?.(press)) return true
    const numbers = press.ctrl || press.alt ? [] : shown.map(({ option }) => option.number)
    if (digits.press(press.key, numbers)) return true
    if (!isLetter(press)) return false
    select(press.key)
    search.current?.focus()
    return true
  })

  /**
   * Forward: unfolds the branch at an index or, if it is unfolded, moves into it. Backward: folds an unfolded branch, or moves to
   * the branch that contains the label.
   */
  const foldOrMove = (at: number, isForward: boolean): void => {
    const row = shown[at]
    if (row === undefined || isSearch) return
    const isOpen = row.isBranch && open.has(row.option.value)
    if (row.isBranch && isOpen !== isForward) setFolded(row, !isForward)
    else if (isForward && row.isBranch) focusRow(at + 1)
    else if (!isForward) focusRow(parentIndex(shown, at))
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = stop === undefined ? -1 : shown.indexOf(stop)
    const isRtl = list.current ? getComputedStyle(list.current).direction === 'rtl' : false
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    const target = isSideways ? at : rovingTarget(event.key, at, shown.length)
    if (target === null) return
    event.preventDefault()
    event.stopPropagation()
    if (isSideways) foldOrMove(at, (event.key === 'ArrowRight') !== isRtl)
    else focusRow(target)
  }

  /** The label that Enter picks in the search. */
  const found = isSearch ? shown[0] : undefined
  const foundValue = found?.option.value
  useEffect(() => {
    // The labels may be below the end of the form.
    if (foundValue !== undefined) list.current?.querySelector('[data-found]')?.scrollIntoView({ block: 'nearest' })
  }, [foundValue])

  const pickFound = (): void => {
    if (!found) return
    const { value } = found.option
    // If an answer can have only one label, picking the same label again in the search doesn't remove it.
    if (mode === 'many' || !isPicked(value) || isOnlySuggested(value)) pickAndAnnounce(found, 'key')
    setQuery('')
    setPickedInSearch(value)
  }
  useEffect(() => {
    if (pickedInSearch === null) return
    setPickedInSearch(null)
    if (mode === 'one' && document.activeElement === search.current) optionElement(list.current, pickedInSearch)?.focus()
  }, [pickedInSearch, mode])

  const pick = (row: TreeRow) => (event: MouseEvent) => {
    const byPointer = event.detail > 0
    setCurrent(row.option.value)
    if (byPointer) onPick(row.option.value, 'pointer')
    else pickAndAnnounce(row, 'key')
    if (byPointer) focusQuestion(event.currentTarget)
  }

  const branches = rows.filter(({ isBranch }) => isBranch).map(({ option }) => option.value)
  const isExpanded = branches.every((value) => open.has(value))
  return (
    <div className={styles['labels']}>
      <OptionSearch
        ref={search}
        query={query}
        onQuery={select}
        onEnter={pickFound}
        onLeave={(down) => (down ? focusRow(0) : search.current && focusQuestion(search.current))}
        folded={
          query === '' && rows.length >= searchFrom
            ? {
                isExpanded,
                count: rows.length - shown.length,
                onToggle: () => setOpen(new Set(isExpanded ? [] : branches)),
              }
            : null
        }
        icon={SearchIcon}
      />
      <div
        ref={list}
        role="tree"
        tabIndex={-1}
        className={styles['tree']}
        aria-multiselectable={mode === 'many' || undefined}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        onKeyDown={onKeyDown}
      >
        {shown.map((row) => {
          const { value, text } = row.option
          return (
            <TreeItem
              key={value}
              row={row}
              name={isSearch ? row.path : text || value}
              state={isPicked(value) ? (isOnlySuggested(value) ? 'suggested' : 'on') : 'off'}
              score={scoreOf(value)}
              hue={hueOf?.(value) ?? null}
              dot={dots?.get(value)}
              isOpen={open.has(value)}
              isStop={row === stop}
              isFound={row === found}
              onClick={pick(row)}
              onFold={() => setFolded(row, open.has(value))}
              onFocus={() => setCurrent(value)}
            />
          )
        })}
      </div>
      {shown.length === 0 && <p className={styles['none']}>{t('noLabelFound', { query })}</p>}
    </div>
  )
}
