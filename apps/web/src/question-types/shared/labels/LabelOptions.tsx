import type { Option } from '@postil/contract/question-types/options.ts'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { SearchIcon } from '#ui/marks/icons.tsx'
import type { KeyHandler } from '../../question-keys.ts'
import { useQuestionKeys } from '../../question-keys.ts'
import { lazyEditor } from '../lazy-editor.ts'
import { OptionButton } from '../options/OptionButton.tsx'
import { OptionSearch } from '../options/OptionSearch.tsx'
import type { NumberedOption } from '../options/option-list.ts'
import { canFold, searchFrom, shownOptions } from '../options/option-list.ts'
import { rovingTarget } from '../options/roving.ts'
import { createTypeAhead, isLetter } from '../options/type-ahead.ts'
import { useDigits } from '../options/use-digits.ts'
import styles from './LabelOptions.module.css'
import { focusQuestion, type LabelOptionsProps, optionElement, type PickedBy } from './label-options.ts'

const groups = {
  one: { role: 'radiogroup' },
  many: { role: 'listbox', 'aria-multiselectable': true, 'aria-orientation': 'horizontal' },
} as const

const Tree = lazyEditor(async () => (await import('./TreeOptions.tsx')).TreeOptions)

const isTree = ({ options }: { readonly options: readonly Option[] }): boolean => options.some(({ parent }) => parent)

/** Loads the code that shows label trees, if the labels form one. Rejects if the network fails. */
export const preloadTree = async (settings: { readonly options: readonly Option[] }): Promise<void> =>
  isTree(settings) ? Tree.preload() : undefined

export const LabelOptions = (props: LabelOptionsProps) => (isTree(props) ? <Tree {...props} /> : <FlatOptions {...props} />)

const FlatOptions = ({
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
}: LabelOptionsProps) => {
  const { t } = useTranslation('question-types/shared')
  const [query, setQuery] = useState('')
  const [isExpanded, setExpanded] = useState(false)
  const [current, setCurrent] = useState<string | null>(null)
  /** The option that was just picked in the search. */
  const [pickedInSearch, setPickedInSearch] = useState<string | null>(null)
  const [typeAhead] = useState(() => createTypeAhead())
  /**
   * The option whose name matched the letters typed last. As in the search, Enter picks this option. Pressing another key or
   * moving the focus clears it.
   */
  const named = useRef<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const shown = shownOptions(options, { visible, isExpanded, query, isPicked })
  const hasSearch = options.length >= searchFrom || canFold(options, visible)
  const stop = shown.find((option) => option.value === current) ?? shown.find((option) => isPicked(option.value)) ?? shown[0]

  /**
   * Picks an option and announces it, because a screen reader says nothing if the option doesn't have the focus or loses it.
   */
  const pickAndAnnounce = ({ value, text }: NumberedOption, by: PickedBy): void => {
    const wasPicked = isPicked(value) && !isOnlySuggested(value)
    const option = text || value
    announce(wasPicked ? t('takenOff', { option }) : t('picked', { option }))
    onPick(value, by)
  }

  const digits = useDigits((number) => {
    const option = shown.find((one) => one.number === number)
    if (option) pickAndAnnounce(option, 'digit')
  })

  const select = (targetOption: string): void => {
    setQuery(targetOption)
    if (targetOption.trim() === '') return
    const matches = shownOptions(options, { visible, isExpanded, query: targetOption, isPicked })
    const [first] = matches
    announce(
      first
        ? t('found', { count: matches.length, first: first.text || first.value })
        : t('noLabelFound', { query: targetOption }),
    )
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
    // An option that is already picked stays picked.
    const option = shown.find((one) => one.value === value)
    if (option && (!isPicked(value) || isOnlySuggested(value))) pickAndAnnounce(option, 'key')
    return true
  }

  useQuestionKeys((press) => {
    if (pickNamed(press) || onKey?.(press)) return true
    if (digits.press(press.key, press.ctrl || press.alt ? [] : shown.map((option) => option.number))) return true
    if (!isLetter(press)) return false
    if (hasSearch) {
      select(press.key)
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
    // An arrow key on the last option expands the list.
    if (
      target === 0 &&
      at === shown.length - 1 &&
      event.key !== 'Home' &&
      !isExpanded &&
      query === '' &&
      canFold(options, visible)
    ) {
      setExpanded(true)
      return
    }
    focusOption(target)
  }

  /** The option that Enter picks in the search. */
  const found = query.trim() === '' ? undefined : shown[0]
  useEffect(() => {
    // The options may be below the end of the form.
    if (found) list.current?.querySelector('[data-found]')?.scrollIntoView({ block: 'nearest' })
  }, [found])

  /** Picks the first search result and clears the search box, so that the user can type the next name. */
  const pickFound = (): void => {
    if (!found) return
    // If an answer can have only one label, picking the same label again in the search doesn't remove it. If an answer can have
    // several labels, picking a label again removes it.
    if (mode === 'many' || !isPicked(found.value) || isOnlySuggested(found.value)) pickAndAnnounce(found, 'key')
    setQuery('')
    setPickedInSearch(found.value)
  }
  useEffect(() => {
    if (pickedInSearch === null) return
    setPickedInSearch(null)
    // Focusing the option also scrolls to it. The option isn't focused if another question has taken the focus. If an answer can
    // have several labels, the focus stays in the search, so that the user can find the next label.
    if (mode === 'one' && document.activeElement === search.current) optionElement(list.current, pickedInSearch)?.focus()
  }, [pickedInSearch, mode])

  const pick = (option: NumberedOption) => (event: MouseEvent) => {
    const byPointer = event.detail > 0
    setCurrent(option.value)
    if (mode === 'one' && !byPointer) pickAndAnnounce(option, 'key')
    else onPick(option.value, byPointer ? 'pointer' : 'key')
    if (byPointer) focusQuestion(event.currentTarget)
  }

  return (
    <div className={styles['labels']}>
      {hasSearch && (
        <OptionSearch
          ref={search}
          query={query}
          onQuery={select}
          onEnter={pickFound}
          onLeave={(down) => (down ? focusOption(0) : search.current && focusQuestion(search.current))}
          folded={
            query === '' && canFold(options, visible)
              ? { isExpanded, count: options.length - shown.length, onToggle: () => setExpanded(!isExpanded) }
              : null
          }
          icon={SearchIcon}
        />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the role depends on the question type */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role depends on the question type */}
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
            isFound={option === found}
            onClick={pick(option)}
            onFocus={() => setCurrent(option.value)}
          />
        ))}
      </div>
      {shown.length === 0 && <p className={styles['none']}>{t('noLabelFound', { query })}</p>}
    </div>
  )
}
