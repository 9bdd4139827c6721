import type { KeyboardEvent, ReactNode } from 'react'
import { useRef, useState } from 'react'
import { isComposing } from '#lib/keys/is-composing.ts'
import styles from './CheckList.module.css'
import { Input } from './Input.tsx'

/** A search box is shown if there are at least this many options. */
export const searchFrom = 8

type CheckOption = {
  readonly value: string
  readonly text: string
  /** Shown before the text. */
  readonly mark?: ReactNode
  /** Shown at the end of the line, such as a count. */
  readonly end?: ReactNode
}

type Search = {
  readonly label: string
  readonly placeholder: string
  readonly searchText: string
  readonly onSearchText: (searchText: string) => void
}

type Props = {
  readonly label: string
  /** The options to show. The caller applies the search. */
  readonly options: readonly CheckOption[]
  readonly picked: readonly string[]
  readonly onPick: (value: string) => void
  /** The search box, or null if the list is short enough to see at once. */
  readonly search: Search | null
  /** Shown between the search box and the list. */
  readonly children?: ReactNode
}

const boxesIn = (list: HTMLElement | null): readonly HTMLInputElement[] => [
  ...(list?.querySelectorAll<HTMLInputElement>('input') ?? []),
]

/** A list to pick several options from. Arrow keys move between the options, and Space or Enter picks one. */
export const CheckList = ({ label, options, picked, onPick, search, children }: Props) => {
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const stop = options.some(({ value }) => value === current) ? current : (options[0]?.value ?? null)

  const onListKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const boxes = boxesIn(list.current)
    const at = boxes.indexOf(event.target as HTMLInputElement)
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: boxes.length - 1 }[event.key]
    if (event.key === 'Enter') boxes[at]?.click()
    else if (target === undefined) return
    else (target < 0 ? box.current : boxes[target])?.focus()
    event.preventDefault()
  }
  const onSearchKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    boxesIn(list.current)[0]?.focus()
  }

  return (
    <>
      {search && (
        <Input
          ref={box}
          label={search.label}
          hideLabel
          placeholder={search.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={search.searchText}
          onChange={(event) => search.onSearchText(event.target.value)}
          onKeyDown={onSearchKeyDown}
        />
      )}
      {children}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't scroll in every browser */}
      <div ref={list} role="group" aria-label={label} className={styles['list']} onKeyDown={onListKeyDown}>
        {options.map(({ value, text, mark, end }) => (
          <label key={value} className={styles['option']}>
            <input
              type="checkbox"
              className={styles['box']}
              checked={picked.includes(value)}
              tabIndex={value === stop ? 0 : -1}
              onFocus={() => setCurrent(value)}
              onChange={() => onPick(value)}
            />
            {mark}
            <bdi className={styles['text']}>{text}</bdi>
            {end !== undefined && <span className={styles['count']}>{end}</span>}
          </label>
        ))}
      </div>
    </>
  )
}
