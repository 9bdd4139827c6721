import type { KeyboardEvent, MouseEvent } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { SearchIcon } from '#ui/marks/icons.tsx'
import { announce } from '#ui/telling/announcer.ts'
import type { KeyHandler } from '../../question-keys.ts'
import { useQuestionKeys } from '../../question-keys.ts'
import { OptionButton } from '../options/OptionButton.tsx'
import { OptionSearch } from '../options/OptionSearch.tsx'
import type { NumberedOption } from '../options/option-list.ts'
import { canFold, searchFrom, shownOptions } from '../options/option-list.ts'
import { rovingTarget } from '../options/roving.ts'
import { createTypeAhead, isLetter } from '../options/type-ahead.ts'
import { useDigits } from '../options/use-digits.ts'
import styles from './LabelOptions.module.css'

export type PickedBy = 'digit' | 'key' | 'pointer'

type Props = {
  /** Exactly one, or any number: a group of radio buttons or a list box. */
  readonly mode: 'one' | 'many'
  readonly options: readonly NumberedOption[]
  readonly visible: number | null
  readonly isPicked: (value: string) => boolean
  /** Picked, but only by a suggestion so far. */
  readonly isOnlySuggested: (value: string) => boolean
  /** The score that a suggestion gave it: null for one without a score, undefined when it was not suggested. */
  readonly scoreOf: (value: string) => number | null | undefined
  readonly onPick: (value: string, by: PickedBy) => void
  readonly labelledBy: string
  readonly describedBy: string | undefined
  /** Hue of the option's colour, where options have one. */
  readonly hueOf?: (value: string) => number
  /** Hues that were chosen for options, where they are shown as a dot beside the name. */
  readonly dots?: ReadonlyMap<string, number>
  /** What else the question answers to. */
  readonly onKey?: KeyHandler
}

const groups = {
  one: { role: 'radiogroup' },
  many: { role: 'listbox', 'aria-multiselectable': true, 'aria-orientation': 'horizontal' },
} as const

/** The focus goes from an option to its question, where the keys of the page work again. */
const focusQuestion = (element: Element): void => element.closest<HTMLElement>('[data-question]')?.focus({ preventScroll: true })

export const LabelOptions = ({
  mode,
  options,
  visible,
  isPicked,
  isOnlySuggested,
  scoreOf,
  onPick,
  labelledBy,
  describedBy,
  hueOf,
  dots,
  onKey,
}: Props) => {
  const { t } = useTranslation('question-types/shared')
  const [query, setQuery] = useState('')
  const [isUnfolded, setUnfolded] = useState(false)
  const [current, setCurrent] = useState<string | null>(null)
  const [typeAhead] = useState(() => createTypeAhead())
  /** What the last keys were the name of: Enter picks it, as in the search, until another key is pressed or the focus goes. */
  const named = useRef<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const shown = shownOptions(options, { visible, isUnfolded, query, isPicked })
  const hasSearch = options.length >= searchFrom || canFold(options, visible)
  const stop = shown.find((option) => option.value === current) ?? shown.find((option) => isPicked(option.value)) ?? shown[0]

  /** Picks what has not the focus, or will not keep it: a reader says nothing of it by itself. */
  const pickAndTell = ({ value, text }: NumberedOption, by: PickedBy): void => {
    const comesOff = isPicked(value) && !isOnlySuggested(value)
    const option = text || value
    announce(comesOff ? t('takenOff', { option }) : t('picked', { option }))
    onPick(value, by)
  }

  const digits = useDigits((number) => {
    const option = shown.find((one) => one.number === number)
    if (option) pickAndTell(option, 'digit')
  })

  const look = (wanted: string): void => {
    setQuery(wanted)
    if (wanted.trim() === '') return
    const found = shownOptions(options, { visible, isUnfolded, query: wanted, isPicked })
    const [first] = found
    announce(first ? t('found', { count: found.length, first: first.text || first.value }) : t('noLabelFound', { query: wanted }))
  }

  const focusOption = (index: number): void => {
    const option = shown[index]
    if (!option) return
    setCurrent(option.value)
    list.current?.querySelectorAll<HTMLElement>('[data-option]')[index]?.focus()
  }

  const pickNamed: KeyHandler = ({ key, ctrl, alt, shift }) => {
    const value = named.current
    named.current = null
    if (value === null || key !== 'Enter' || ctrl || alt || shift) return false
    // One that is on already stays on.
    const option = shown.find((one) => one.value === value)
    if (option && (!isPicked(value) || isOnlySuggested(value))) pickAndTell(option, 'key')
    return true
  }

  useQuestionKeys((press) => {
    if (pickNamed(press) || onKey?.(press)) return true
    if (digits.press(press.key, press.ctrl || press.alt ? [] : shown.map((option) => option.number))) return true
    if (!isLetter(press)) return false
    if (hasSearch) {
      look(press.key)
      search.current?.focus()
      return true
    }
    const from = document.activeElement?.closest('[data-option]') ? shown.findIndex((option) => option.value === stop?.value) : -1
    const found = typeAhead.press(
      press.key,
      shown.map((option) => option.text),
      from,
    )
    if (found === null) return false
    focusOption(found)
    named.current = shown[found]?.value ?? null
    return true
  })

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = shown.findIndex((option) => option.value === stop?.value)
    const rtl = list.current ? getComputedStyle(list.current).direction === 'rtl' : false
    const target = rovingTarget(event.key, at, shown.length, rtl)
    if (target === null) return
    event.preventDefault()
    event.stopPropagation()
    // The arrow beyond the last one unfolds the rest.
    if (
      target === 0 &&
      at === shown.length - 1 &&
      event.key !== 'Home' &&
      !isUnfolded &&
      query === '' &&
      canFold(options, visible)
    ) {
      setUnfolded(true)
      return
    }
    focusOption(target)
  }

  /** Picks what the search has found first; the next name can be typed at once. */
  const pickFound = (): void => {
    if (query === '' || !shown[0]) return
    pickAndTell(shown[0], 'key')
    setQuery('')
  }

  const pick = (option: NumberedOption) => (event: MouseEvent) => {
    const byPointer = event.detail > 0
    setCurrent(option.value)
    if (mode === 'one' && !byPointer) pickAndTell(option, 'key')
    else onPick(option.value, byPointer ? 'pointer' : 'key')
    if (byPointer) focusQuestion(event.currentTarget)
  }

  return (
    <div className={styles['labels']}>
      {hasSearch && (
        <OptionSearch
          ref={search}
          query={query}
          onQuery={look}
          onEnter={pickFound}
          onLeave={(down) => (down ? focusOption(0) : search.current && focusQuestion(search.current))}
          folded={
            query === '' && canFold(options, visible)
              ? { isUnfolded, count: options.length - shown.length, onToggle: () => setUnfolded(!isUnfolded) }
              : null
          }
          icon={SearchIcon}
        />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its role comes with the kind of the question */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role comes with the kind of the question */}
      <div
        ref={list}
        className={styles['options']}
        {...groups[mode]}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        onKeyDown={onKeyDown}
        onBlur={() => {
          named.current = null
        }}
      >
        {shown.map((option) => (
          <OptionButton
            key={option.value}
            option={option}
            mode={mode}
            state={isPicked(option.value) ? (isOnlySuggested(option.value) ? 'suggested' : 'on') : 'off'}
            score={scoreOf(option.value)}
            hue={hueOf?.(option.value) ?? null}
            dot={dots?.get(option.value)}
            isStop={option.value === stop?.value}
            onClick={pick(option)}
            onFocus={() => setCurrent(option.value)}
          />
        ))}
      </div>
      {shown.length === 0 && <p className={styles['none']}>{t('noLabelFound', { query })}</p>}
    </div>
  )
}
